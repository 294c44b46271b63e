// Passes random values as the options of everything public.
import fc from 'fast-check';
import { createBrowserClient } from '../../src/browser/index.ts';
import { bulk, EmailMarketingClient, EmailMarketingError } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'options of the client, calls, bulk, paginators, the sandbox and the proxy';

const sandbox = createSandbox({ seed: { contacts: 3 } });
const valid = { ...sandbox.clientOptions, logLevel: 'off', maxRetries: 0 } as const;
const client = new EmailMarketingClient(valid);

const throws = (): never => {
  throw new Error('thrown by a value');
};
/** Values of every kind, those included that misbehave when they are read, called or converted. */
const anyValue = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.constantFrom<unknown>(
    Symbol('s'),
    throws,
    async () => throws(),
    () => {},
    Number.NaN,
    -1,
    1e300,
    2 ** 31,
  ),
  fc.constantFrom<unknown>(
    'https://api.example.com',
    'http://[',
    'x\ny',
    '',
    'canary'.repeat(5_000),
    '\ud800',
  ),
  fc.constantFrom<unknown>(
    { toString: throws },
    { toJSON: throws },

    new Proxy({}, { get: throws }),
  ),
  fc.constantFrom<unknown>(
    { aborted: false },
    { acquire: throws },
    { acquire: 5 },
    AbortSignal.abort(),
    Promise.resolve(),
  ),
);

const clientNames = [
  ...[
    'baseUrl',
    'apiKey',
    'legacyBaseUrl',
    'legacyApiKey',
    'teamId',
    'timeout',
    'totalTimeout',
    'maxRetries',
  ],
  ...[
    'fetch',
    'headers',
    'logger',
    'logLevel',
    'hooks',
    'validation',
    'onDrift',
    'maxResponseBytes',
    'throttle',
  ],
  'dangerouslyAllowBrowser',
];
const callNames = ['timeout', 'totalTimeout', 'maxRetries', 'headers', 'signal'];

/** Where options are given: their names, and what they are given to. */
const places: Readonly<Record<string, readonly [readonly string[], (options: never) => unknown]>> = {
  client: [clientNames, options => new EmailMarketingClient({ ...valid, ...(options as object) })],
  withOptions: [clientNames, options => client.withOptions(options)],
  call: [callNames, options => client.senders.list(options)],
  'legacy call': [callNames, options => client.legacy.identify({ email: 'a@example.com' }, options)],
  listing: [['offset', 'limit', 'search'], options => client.contacts.list(options)],
  paginator: [
    ['pageSize', 'concurrency', 'checkpoint', 'onProgress', ...callNames],
    options => client.contacts.all({}, options).toArray(),
  ],
  toArray: [['max'], options => client.contacts.all().toArray(options)],
  bulk: [
    ['concurrency', 'key', 'stopOnError', 'onProgress', 'signal'],
    async options => {
      for await (const result of bulk([1, 2], async item => item, options)) void result;
    },
  ],
  sandbox: [
    ['seed', 'apiKey', 'teamId', 'ambiguities', 'maxLogBytes', 'corsOrigins', 'onResponse', 'now'],
    options => createSandbox(options),
  ],
  proxy: [
    [
      'allow',
      'authorize',
      'output',
      'dedupe',
      'maxBodyBytes',
      'bodyTimeout',
      'allowedHosts',
      'callbackTimeout',
    ],
    options =>
      createProxyHandler(client, { allow: ['tags.create'], authorize: 'public', ...(options as object) }),
  ],
  'browser client': [
    ['url', 'fetch', 'headers', 'timeout', 'totalTimeout', 'maxRetries', 'logger', 'hooks'],
    options => createBrowserClient(options),
  ],
};

const input = fc.constantFrom(...Object.entries(places)).chain(([place, [names]]) =>
  fc.record({
    place: fc.constant(place),
    options: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.dictionary(
          fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()),
          anyValue,
          { maxKeys: 3 },
        ),
      },
      anyValue,
    ),
  }),
);

/** Milliseconds after which a call counts as hanging. */
const hanging = 20_000;

/** What a value threw by itself, and the reason of an aborted signal, pass through as they are. */
function isExpected(error: unknown, place: string): boolean {
  if (place === 'sandbox' && error instanceof RangeError) return true;
  if (error instanceof Error && error.message === 'thrown by a value') return true;
  if (error instanceof DOMException && error.name === 'AbortError') return true;
  return EmailMarketingError.isInstance(error);
}

const property = (rejections: unknown[]) =>
  fc.asyncProperty(input, async ({ place, options }) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hangs = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('it hangs')), hanging);
    });
    try {
      await Promise.race([(async () => places[place]?.[1](options as never))(), hangs]);
    } catch (error) {
      if (!isExpected(error, place)) throw new Error(`${place}: a foreign error`, { cause: error });
      // The errors of these show the start of a value that was given: their fields hold no secret.
      const showsValues = place === 'listing' || place === 'sandbox';
      if (!showsValues && String((error as Error).message).includes('canarycanary'))
        throw new Error(`${place}: shows a key`);
    } finally {
      clearTimeout(timer);
    }
    await new Promise(setImmediate);
    const [cause] = rejections.splice(0);
    if (cause !== undefined) throw new Error('unhandled', { cause });
  });

export async function run(options: FuzzOptions): Promise<number> {
  const rejections: unknown[] = [];
  const keep = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', keep).on('uncaughtException', keep);
  try {
    return await fuzz(property(rejections), options);
  } finally {
    process.off('unhandledRejection', keep).off('uncaughtException', keep);
  }
}
