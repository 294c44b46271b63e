// Bundled into a page: the sandbox through MSW 2.
import { setupWorker } from 'msw-2/browser';
import { handlers } from '../../../src/testing/msw.ts';
import { tryInBrowser } from './try-in-browser.ts';

tryInBrowser(sandbox =>
  // The build gives MSW 2 the name `msw`: these are its own handlers.
  setupWorker(...(handlers(sandbox) as unknown as Parameters<typeof setupWorker>)).start({
    quiet: true,
    onUnhandledRequest: 'bypass',
  }),
);
