import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import * as msw2 from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

const versions = [
  {
    version: '2',
    start: (options: SandboxOptions) => {
      const sandbox = createSandbox(options);
      const other = msw2.http.get('https://other.test/api/v1/rest/sender', () =>
        msw2.HttpResponse.text('other'),
      );
      const server = setupServer2(...sandbox.handlers, other);
      server.listen({ onUnhandledRequest: 'error' });
      return { sandbox, server };
    },
  },
  {
    version: '3',
    start: (options: SandboxOptions) => {
      const sandbox = createSandbox(options);
      const other = http.get('https://other.test/api/v1/rest/sender', () => HttpResponse.text('other'));
      const server = setupServer(...sandbox.handlers, other);
      server.listen({ onUnhandledFrame: 'error' });
      return { sandbox, server };
    },
  },
];

describe.each(versions)('MSW $version', ({ start }) => {
  const at = (path: string, host = 'api.example.test', signal?: AbortSignal) =>
    fetch(`https://${host}${path}`, {
      headers: { 'X-Team-ApiKey': 'sandbox-key' },
      ...(signal === undefined ? {} : { signal }),
    });

  test('answers, leaves other addresses alone, and survives a reset of the handlers', async () => {
    const { sandbox, server } = start({ baseUrl: 'https://api.example.test/mail/', seed: { senders: 2 } });
    try {
      for (const _ of [1, 2]) {
        expect(await (await at('/mail/api/v1/rest/sender')).json()).toHaveLength(2);
        expect(await (await at('/api/v1/rest/sender', 'other.test')).text()).toBe('other');
        server.resetHandlers();
      }
      expect(sandbox.requests).toHaveLength(2);
      const told = vi.spyOn(console, 'error').mockImplementation(() => {});
      onTestFinished(() => told.mockRestore());
      await expect(at('/elsewhere')).rejects.toThrow();
      expect(told).toHaveBeenCalledOnce();
    } finally {
      server.close();
    }
  });

  test('faults strike there too', async () => {
    const { sandbox, server } = start({ baseUrl: 'https://api.example.test' });
    try {
      sandbox.drop('GET /sender', { times: 1 });
      await expect(at('/api/v1/rest/sender')).rejects.toThrow(TypeError);
      sandbox.stall('GET /sender', { times: 1 });
      await expect(at('/api/v1/rest/sender', undefined, AbortSignal.timeout(50))).rejects.toThrow();
      sandbox.fail('GET /sender', { status: 500, times: 1 });
      expect((await at('/api/v1/rest/sender')).status).toBe(500);
      expect((await at('/api/v1/rest/sender')).status).toBe(200);
    } finally {
      server.close();
    }
  });
});
