import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createSandbox } from '../../src/testing/index.ts';
import { sandboxHandlers } from '../../src/testing/msw.ts';
import { checkHandlers } from './msw-checks.ts';

checkHandlers('3', (options, addresses) => {
  const sandbox = createSandbox(options);
  const other = http.get('https://other.test/api/v1/rest/sender', () => HttpResponse.text('other'));
  const server = setupServer(...sandboxHandlers(sandbox, addresses), other);
  server.listen({ onUnhandledFrame: 'error' });
  return { sandbox, server };
});
