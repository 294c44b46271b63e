// What a client does with what the runtime and its options offer.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient(options as ClientOptions);

/** Runs with another global value, which no other code of the process gets to see. */
function withGlobal<T>(name: string, value: unknown, run: () => T): T {
  vi.stubGlobal(name, value);
  try {
    return run();
  } finally {
    vi.unstubAllGlobals();
  }
}

afterEach(() => void vi.unstubAllGlobals());

describe.each([
  ['no process', undefined],
  ['no environment', {}],
  [
    'an environment that may not be read',
    {
      get env(): never {
        throw new Error('denied');
      },
    },
  ],
  [
    'no modules of Node',
    {
      getBuiltinModule(): never {
        throw new Error('not implemented');
      },
    },
  ],
])('where the runtime has %s', (_, process) => {
  test('a client is made of its options', () => {
    expect(withGlobal('process', process, () => make(good))).toBeInstanceOf(EmailMarketingClient);
  });

  test('a client makes calls, and reports them to hooks', async () => {
    const onResponse = vi.fn();
    const made = withGlobal('process', process, () => makeClient({ hooks: { onResponse } }));
    respond('GET /api/v1/rest/sender', { body: [] });
    expect(await made.senders.list()).toEqual([]);
    expect(onResponse).toHaveBeenCalledOnce();
  });

  test('an option that is missing is named', () => {
    const madeOfNothing = () => withGlobal('process', process, () => make({}));
    expect(madeOfNothing).toThrow(/^Option baseUrl is missing: /);
    const made = () => withGlobal('process', process, () => make({ baseUrl: good.baseUrl }));
    expect(made).toThrow(/^Option apiKey is missing: /);
  });
});

test('an option that is missing names the permission that Deno lacks', () => {
  const madeOfNothing = () => withGlobal('Deno', {}, () => make({}));
  expect(madeOfNothing).toThrow(/EMAIL_MARKETING_BASE_URL, with --allow-env\.$/);
});

describe('a key', () => {
  test.each([
    ['document', {}],
    ['navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }],
  ])('is refused where %s shows that this is a browser', (name, value) => {
    expect(() => withGlobal(name, value, () => make(good))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('must not be in a browser'),
        option: 'apiKey',
      }),
    );
    const allowed = { ...good, dangerouslyAllowBrowser: true };
    expect(() => withGlobal(name, value, () => make(allowed))).not.toThrow();
  });

  test.each([undefined, {}, { userAgent: 'Node.js/22' }, { userAgent: 'not Mozilla/5.0' }])(
    'is accepted where navigator is %o',
    navigator => {
      expect(() => withGlobal('navigator', navigator, () => make(good))).not.toThrow();
    },
  );

  test('that a function returned is hidden until 100 others came after it', async () => {
    let count = 0;
    const client = makeClient({ apiKey: () => `rotating-key-${1000 + ++count}` });
    respond('GET /api/v1/rest/sender', { body: [] });
    for (let call = 1; call <= 99; call += 1) await client.senders.list();
    const seen = respond('GET /api/v1/rest/sender', { body: { error: 'rotating-key-1001' } });
    expect(await failureOf(client.senders.list())).toMatchObject({ body: { error: '[redacted]' } });
    expect(seen[0]?.headers.get('x-team-apikey')).toBe('rotating-key-1100');
    respond('GET /api/v1/rest/sender', {
      body: { error: 'rotating-key-1001 rotating-key-1002 rotating-key-1101' },
    });
    expect(await failureOf(client.senders.list())).toMatchObject({
      body: { error: 'rotating-key-1001 [redacted] [redacted]' },
    });
  });
});

test('a key that a function returns again is hidden until 100 others came after that', async () => {
  let key = 'rotating-key-first';
  let count = 0;
  const client = makeClient({ apiKey: () => key });
  respond('GET /api/v1/rest/sender', { body: [] });
  const callWithOtherKeys = async (calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      key = `rotating-key-${1000 + ++count}`;
      await client.senders.list();
    }
  };
  await client.senders.list();
  await callWithOtherKeys(99);
  key = 'rotating-key-first';
  await client.senders.list();
  await callWithOtherKeys(98);
  key = 'rotating-key-last';
  respond('GET /api/v1/rest/sender', { body: { error: 'rotating-key-first' } });
  expect(await failureOf(client.senders.list())).toMatchObject({ body: { error: '[redacted]' } });
});

test('an option of a call that cannot be read rejects the call with what reading it throws', async () => {
  const cause = new Error('broken');
  const options = {
    get timeout(): never {
      throw cause;
    },
  };
  expect(await failureOf(makeClient().senders.list(options))).toBe(cause);
});

test('a call without a global fetch says which option to pass', async () => {
  vi.stubGlobal('fetch', undefined);
  expect(await failureOf(makeClient().senders.list())).toMatchObject({
    name: 'ConnectionError',
    code: 'NO_GLOBAL_FETCH',
    outcome: 'not-sent',
    message: expect.stringContaining('pass the option fetch'),
  });
});

test('accepts a logger that is an object, a class instance or console', () => {
  class Logger {
    warn() {}
    info() {}
    debug() {}
  }
  for (const logger of [new Logger(), { ...console }, console])
    expect(() => make({ ...good, logger })).not.toThrow();
});
