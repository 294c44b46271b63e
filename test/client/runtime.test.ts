// Clients in runtimes that lack something, and in browsers.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';

useTestService();

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient(options as ClientOptions);

/** Runs a function while a global has another value. */
function withGlobal<T>(name: string, value: unknown, run: () => T): T {
  vi.stubGlobal(name, value);
  try {
    return run();
  } finally {
    vi.unstubAllGlobals();
  }
}

afterEach(() => void vi.unstubAllGlobals());

/** A `process` of which a member cannot be read. */
const denied = (name: string) =>
  Object.defineProperty({}, name, {
    get: () => {
      throw new Error('denied');
    },
  });

describe.each([
  ['no process', undefined],
  ['an environment that may not be read', denied('env')],
  ['no modules of Node', denied('getBuiltinModule')],
])('in a runtime with %s', (_, process) => {
  test('a client makes calls, and reports them to hooks', async () => {
    const onSuccess = vi.fn();
    const made = withGlobal('process', process, () => makeClient({ hooks: { onSuccess } }));
    respond('GET /api/v1/rest/sender', { body: [] });
    expect(await made.senders.list()).toEqual([]);
    expect(onSuccess).toHaveBeenCalledOnce();
  });

  test('the error of a missing option names it', () => {
    const makeWith = (options: object) => () => withGlobal('process', process, () => make(options));
    expect(makeWith({})).toThrow(
      "baseUrl is missing. Copy it from your team's settings: set EMAIL_MARKETING_BASE_URL, or pass `{ baseUrl }`. apiKey is missing. Copy it from your team's settings: set EMAIL_MARKETING_API_KEY, or pass `{ apiKey }`.",
    );
    expect(makeWith({ apiKey: 'key' })).toThrow(/^baseUrl is missing\. /);
    expect(makeWith({ baseUrl: good.baseUrl })).toThrow(/^apiKey is missing\. /);
  });
});

test('in a browser, which hides the status of a redirect, the error says that it was one', async () => {
  const client = make({ ...good, fetch: async () => Response.error() });
  await expect(client.senders.list()).rejects.toMatchObject({
    name: 'ApiError',
    message:
      'senders.list: a redirect from rest.example.test: redirects are not followed. The service did not send this. Check the base URL, and any proxy, firewall or login page in between.',
    outcome: 'refused',
  });
  const write = { name: 'ApiError', response: { status: 0 }, outcome: 'unknown' };
  await expect(client.tags.create({ name: 'a' })).rejects.toMatchObject(write);
});

describe('a key', () => {
  test.each([
    ['document', {}],
    ['navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }],
  ])('is rejected if the global %s shows that this is a browser', (name, value) => {
    const message = expect.stringContaining('must not be used in a browser');
    const error = expect.objectContaining({ message, option: 'apiKey' });
    expect(() => withGlobal(name, value, () => make(good))).toThrow(error);
    const allowed = { ...good, dangerouslyAllowBrowser: true };
    expect(() => withGlobal(name, value, () => make(allowed))).not.toThrow();
  });

  test('of a sandbox is accepted in a browser, such as jsdom', async () => {
    const { clientOptions } = createSandbox();
    const client = withGlobal('document', {}, () => new EmailMarketingClient(clientOptions));
    expect(await client.senders.list()).toEqual([]);
  });

  test.each([undefined, {}, { userAgent: 'not Mozilla/5.0' }])(
    'is accepted if the global navigator is %o',
    navigator => expect(() => withGlobal('navigator', navigator, () => make(good))).not.toThrow(),
  );
});
