import { setupWorker } from 'msw/browser';
import { handlers } from '../../../src/testing/msw.ts';
import { tryInBrowser } from './try-in-browser.ts';

tryInBrowser(sandbox => setupWorker(...handlers(sandbox)).start({ quiet: true }));
