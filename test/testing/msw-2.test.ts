import { HttpResponse, http } from 'msw-2';
import { setupServer } from 'msw-2/node';
import { vi } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { handlers } from '../../src/testing/msw.ts';
import { checkHandlers } from './msw-checks.ts';

vi.mock('msw', () => import('msw-2'));

checkHandlers('2', options => {
  const sandbox = createSandbox(options);
  const other = http.get('https://other.test/api/v1/rest/sender', () => HttpResponse.text('other'));
  // The handlers are those of MSW 2 here; their declared type is that of MSW 3.
  const own = handlers(sandbox) as unknown as (typeof other)[];
  const server = setupServer(...own, other);
  server.listen({ onUnhandledRequest: 'error' });
  return { sandbox, server };
});
