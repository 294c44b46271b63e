// The tests of the sandbox's handlers, for each version of MSW.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { createSandbox, SandboxOptions } from '../../src/testing/index.ts';
import type { SandboxHandlersOptions } from '../../src/testing/msw.ts';

/** A sandbox that responds through MSW, and the server that intercepts. */
interface Intercepted {
  readonly sandbox: ReturnType<typeof createSandbox>;
  readonly server: { resetHandlers(): void; close(): void };
}

const at = (path: string, host = 'api.example.test', signal?: AbortSignal) =>
  fetch(`https://${host}${path}`, {
    headers: { 'X-Team-ApiKey': 'sandbox-key' },
    ...(signal === undefined ? {} : { signal }),
  });

const identify = (url: string) =>
  fetch(`${url}/api/v1/contact/identify?team_id=sandbox-team`, {
    method: 'POST',
    headers: { api_key: 'sandbox-key' },
    body: '{"email":"zoë@x.test"}',
  });

function silentConsole() {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  return logged;
}

function stubBaseUrl(): void {
  vi.stubEnv('EMAIL_MARKETING_BASE_URL', 'https://env.example.test/mail');
  onTestFinished(() => void vi.unstubAllEnvs());
}

type Start = (options: SandboxOptions, addresses?: SandboxHandlersOptions) => Intercepted;

/** What the handlers do. */
const checks: Readonly<Record<string, (start: Start) => void | Promise<void>>> = {
  async 'respond, ignore other addresses, and survive a reset of the handlers'(start) {
    const { sandbox, server } = start(
      { seed: { senders: 2 } },
      { baseUrl: 'https://api.example.test/mail/' },
    );
    for (const _ of [1, 2]) {
      expect(await (await at('/mail/api/v1/rest/sender')).json()).toHaveLength(2);
      expect(await (await at('/api/v1/rest/sender', 'other.test')).text()).toBe('other');
      server.resetHandlers();
    }
    expect(sandbox.requests).toHaveLength(2);
    const logged = silentConsole();
    await expect(at('/elsewhere')).rejects.toThrow();
    expect(logged).toHaveBeenCalledOnce();
  },

  async 'apply faults'(start) {
    const { sandbox } = start({}, { baseUrl: 'https://api.example.test' });
    sandbox.drop('GET /sender', { times: 1 });
    await expect(at('/api/v1/rest/sender')).rejects.toThrow(TypeError);
    sandbox.stall('GET /sender', { times: 1 });
    await expect(at('/api/v1/rest/sender', undefined, AbortSignal.timeout(50))).rejects.toThrow();
    sandbox.fail('GET /sender', { status: 500, times: 1 });
    expect((await at('/api/v1/rest/sender')).status).toBe(500);
    expect((await at('/api/v1/rest/sender')).status).toBe(200);
  },

  async 'serve each interface at its own address, and keep the digits of a domain'(start) {
    const legacyBaseUrl = 'https://app.example.test/old';
    const { sandbox } = start({}, { baseUrl: 'https://api.example.test', legacyBaseUrl });
    const created = await fetch('https://api.example.test/api/v1/rest/domain', {
      method: 'POST',
      headers: { 'X-Team-ApiKey': 'sandbox-key' },
      body: '{"name":"mail.example.com"}',
    });
    const domain = sandbox.state.domains.named('mail.example.com');
    expect(await created.text()).toContain(`"created":${domain?.created}`);
    expect((await identify(legacyBaseUrl)).status).toBe(200);
    expect(sandbox.state.contacts.named('zoë@x.test')).toBeDefined();
  },

  async 'respond at the given addresses and at no other'(start) {
    stubBaseUrl();
    silentConsole();
    const addresses = { baseUrl: 'https://api.example.test/v', legacyBaseUrl: 'https://app.example.test' };
    const { sandbox } = start({}, addresses);
    expect((await at('/v/api/v1/rest/sender')).status).toBe(200);
    expect((await identify('https://app.example.test')).status).toBe(200);
    expect(sandbox.state.contacts.named('zoë@x.test')).toBeDefined();
    for (const path of ['/api/v1/users/7', '/v/api/v1/users/7', '/v/api/v1/restful'])
      await expect(at(path), path).rejects.toThrow();
    await expect(at('/v/api/v1/rest/sender', 'api-example.test')).rejects.toThrow();
  },

  async 'respond at the address of the environment if none is given'(start) {
    stubBaseUrl();
    silentConsole();
    const { sandbox } = start({});
    expect((await at('/mail/api/v1/rest/sender', 'env.example.test')).status).toBe(200);
    expect((await identify('https://env.example.test/mail')).status).toBe(200);
    await expect(at('/api/v1/rest/sender', 'sandbox.test')).rejects.toThrow();
    expect(sandbox.requests).toHaveLength(2);
  },

  async 'respond at the legacy address of the environment'(start) {
    stubBaseUrl();
    vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', 'https://legacy.example.test');
    const { sandbox } = start({});
    expect((await identify('https://legacy.example.test')).status).toBe(200);
    expect(sandbox.requests.count('legacy.identify')).toBe(1);
  },

  async 'respond to legacy requests at the given address, whatever the environment'(start) {
    stubBaseUrl();
    vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', 'https://legacy.example.test');
    start({}, { baseUrl: 'https://api.example.test' });
    expect((await identify('https://api.example.test')).status).toBe(200);
  },
};

/** Checks the handlers in a version of MSW. `start` also has `https://other.test/api/v1/rest/sender` respond `other`. */
export function checkHandlers(version: string, start: Start): void {
  const started: Start = (...options) => {
    const intercepted = start(...options);
    onTestFinished(() => intercepted.server.close());
    return intercepted;
  };
  test.each(Object.entries(checks))(`the handlers in MSW ${version} %s`, (_, check) => check(started));
}
