import { setupWorker } from 'msw-2/browser';
import { tryInBrowser } from './try-in-browser.ts';

tryInBrowser(handlers => setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass' }));
