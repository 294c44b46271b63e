// Bundled into a page: the sandbox through MSW 3.
import { setupWorker } from 'msw/browser';
import { handlers } from '../../../src/testing/msw.ts';
import { tryInBrowser } from './try-in-browser.ts';

tryInBrowser(sandbox => setupWorker(...handlers(sandbox)).start({ quiet: true }));
