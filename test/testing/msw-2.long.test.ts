// MSW 2, the oldest version that the handlers support. It is not a development dependency.
import { createRequire } from 'node:module';
import { vi } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { installed } from '../runtimes/install.ts';
import { checkHandlers } from './msw-checks.ts';

const require = createRequire(`${installed('msw-2', { msw: '2.15.0' })}/`);
const msw: typeof import('msw') = require('msw');
const { setupServer }: typeof import('msw/node') = require('msw/node');

vi.doMock('msw', () => msw);
const { sandboxHandlers } = await import('../../src/testing/msw.ts');

checkHandlers('2', (options, addresses) => {
  const sandbox = createSandbox(options);
  const other = msw.http.get('https://other.test/api/v1/rest/sender', () => msw.HttpResponse.text('other'));
  const server = setupServer(...sandboxHandlers(sandbox, addresses), other);
  // The types are those of MSW 3, which has another name for this option.
  const rejectOthers: object = { onUnhandledRequest: 'error' };
  server.listen(rejectOthers);
  return { sandbox, server };
});
