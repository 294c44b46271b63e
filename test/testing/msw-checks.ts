// The tests of the sandbox's handlers, for each version of MSW.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { createSandbox, SandboxOptions } from '../../src/testing/index.ts';
import type { SandboxHandlersOptions } from '../../src/testing/msw.ts';

/** A sandbox that responds through MSW, and the server that intercepts. */
interface Intercepted {
  readonly sandbox: ReturnType<typeof createSandbox>;
  readonly server: { resetHandlers(): void; close(): void };
}

const at = (path: string, baseUrl = 'https://api.example.test', signal?: AbortSignal) =>
  fetch(baseUrl + path, {
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

const ofEnvironment = 'https://env.example.test/mail';
const legacyOfEnvironment = 'https://legacy.example.test';
const given = { baseUrl: 'https://api.example.test/v', legacyBaseUrl: 'https://app.example.test' };

/** Addresses at which both interfaces respond, by the options and the legacy variable of the environment. */
const addresses: readonly [string, SandboxHandlersOptions, variable: string, rest: string, legacy: string][] =
  [
    ['the given addresses', given, legacyOfEnvironment, given.baseUrl, given.legacyBaseUrl],
    ['the given address', { baseUrl: given.baseUrl }, legacyOfEnvironment, given.baseUrl, given.baseUrl],
    ['the addresses of the environment', {}, legacyOfEnvironment, ofEnvironment, legacyOfEnvironment],
    ['the address of the environment', {}, '', ofEnvironment, ofEnvironment],
  ];

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
      expect(await (await at('/api/v1/rest/sender', 'https://other.test')).text()).toBe('other');
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

  async 'keep the digits of a domain'(start) {
    const { sandbox } = start({}, { baseUrl: 'https://api.example.test' });
    const created = await fetch('https://api.example.test/api/v1/rest/domain', {
      method: 'POST',
      headers: { 'X-Team-ApiKey': 'sandbox-key' },
      body: '{"name":"mail.example.com"}',
    });
    const domain = sandbox.state.domains.named('mail.example.com');
    expect(await created.text()).toContain(`"created":${domain?.created}`);
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
  test.each(addresses)(`the handlers in MSW ${version} respond at %s and at no other`, async (...row) => {
    const [, options, variable, rest, legacy] = row;
    vi.stubEnv('EMAIL_MARKETING_BASE_URL', ofEnvironment);
    vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', variable);
    onTestFinished(() => void vi.unstubAllEnvs());
    silentConsole();
    const { sandbox } = started({}, options);
    expect((await at('/api/v1/rest/sender', rest)).status).toBe(200);
    expect((await identify(legacy)).status).toBe(200);
    expect(sandbox.state.contacts.named('zoë@x.test')).toBeDefined();
    const others = ['https://api-example.test/v', 'https://api.example.test', 'https://sandbox.test'];
    for (const other of others) await expect(at('/api/v1/rest/sender', other), other).rejects.toThrow();
    if (rest === legacy) return;
    for (const path of ['/api/v1/users/7', '/api/v1/restful'])
      await expect(at(path, rest), path).rejects.toThrow();
  });
}
