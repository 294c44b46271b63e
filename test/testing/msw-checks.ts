// The tests of the sandbox's handlers, for each version of MSW.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';
import type { SandboxHandlersOptions } from '../../src/testing/msw.ts';
import { eventually } from '../support/eventually.ts';

/** A version of MSW. */
interface Msw {
  readonly http: typeof import('msw').http;
  readonly setupServer: typeof import('msw/node').setupServer;
}

const senders = (baseUrl: string, init: RequestInit = {}) =>
  fetch(`${baseUrl}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': 'sandbox-key' }, ...init });

const identify = (baseUrl: string) =>
  fetch(`${baseUrl}/api/v1/contact/identify?team_id=sandbox-team`, {
    method: 'POST',
    headers: { api_key: 'sandbox-key' },
    body: '{"email":"zoë@x.test"}',
  });

const ofEnvironment = 'https://env.example.test/mail';
const legacyOfEnvironment = 'https://legacy.example.test';
const baseUrl = 'https://api.example.test/v';
const legacyBaseUrl = 'https://app.example.test';

/** Checks the handlers in a version of MSW. */
export function checkHandlers(
  version: string,
  { http, setupServer }: Msw,
  sandboxHandlers: typeof import('../../src/testing/msw.ts').sandboxHandlers,
): void {
  const start = (options: SandboxOptions, addresses: SandboxHandlersOptions) => {
    const sandbox = createSandbox(options);
    const other = http.get('https://other.test/api/v1/rest/sender', () => new Response('other'));
    const server = setupServer(...sandboxHandlers(sandbox, addresses), other);
    // Rejects other requests. The name of this option differs between the versions.
    const rejectOthers: object = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' };
    server.listen(rejectOthers);
    onTestFinished(() => server.close());
    // MSW prints an error for each request that no handler takes.
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    return { sandbox, server };
  };

  test(`the handlers in MSW ${version} respond, apply faults, and remain after a reset of the handlers`, async () => {
    const { sandbox, server } = start({ seed: { senders: 2 } }, { baseUrl: `${baseUrl}/` });
    for (const _ of [1, 2]) {
      expect(await (await senders(baseUrl)).json()).toHaveLength(2);
      expect(await (await senders('https://other.test')).text()).toBe('other');
      server.resetHandlers();
    }
    expect(sandbox.requests).toHaveLength(2);
    sandbox.drop('GET /sender', { times: 1 });
    await expect(senders(baseUrl)).rejects.toThrow(TypeError);
    const [stall, controller] = [sandbox.stall('GET /sender', { times: 1 }), new AbortController()];
    const stalled = senders(baseUrl, { signal: controller.signal });
    await eventually(() => expect(stall.hits).toBe(1));
    controller.abort();
    await expect(stalled).rejects.toThrow();
    sandbox.fail('GET /sender', { status: 500, times: 1 });
    expect((await senders(baseUrl)).status).toBe(500);
    expect((await senders(baseUrl)).status).toBe(200);
  });

  test.each([
    [{ baseUrl, legacyBaseUrl }, legacyOfEnvironment, baseUrl, legacyBaseUrl],
    [{ baseUrl }, legacyOfEnvironment, baseUrl, baseUrl],
    [{}, legacyOfEnvironment, ofEnvironment, legacyOfEnvironment],
    [{}, '', ofEnvironment, ofEnvironment],
  ])(`the handlers in MSW ${version} with %j respond at the right addresses only`, async (...row) => {
    const [options, variable, rest, legacy] = row;
    vi.stubEnv('EMAIL_MARKETING_BASE_URL', ofEnvironment);
    vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', variable);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { sandbox } = start({}, options);
    expect((await senders(rest)).status).toBe(200);
    expect((await identify(legacy)).status).toBe(200);
    expect(sandbox.state.contacts.named('zoë@x.test')).toBeDefined();
    for (const other of ['https://api-example.test/v', 'https://api.example.test', 'https://sandbox.test'])
      await expect(senders(other), other).rejects.toThrow();
    if (rest !== legacy) await expect(fetch(`${rest}/api/v1/restful`)).rejects.toThrow();
  });
}
