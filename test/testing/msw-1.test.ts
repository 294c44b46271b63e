import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { sandboxHandlers } from '../../src/testing/msw.ts';

// What MSW 1 exports in place of `http` and `HttpResponse`.
vi.mock('msw', () => ({ rest: {}, http: undefined }));

test('the handlers say which MSW they need', () => {
  expect(() => sandboxHandlers(createSandbox())).toThrow(
    'sandboxHandlers needs msw 2 or newer, and the one installed is older.',
  );
});
