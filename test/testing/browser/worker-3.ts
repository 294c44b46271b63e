import { setupWorker } from 'msw/browser';
import { tryInBrowser } from './try-in-browser.ts';

tryInBrowser(handlers => setupWorker(...handlers).start({ quiet: true }));
