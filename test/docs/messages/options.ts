// Situations in which options of the client are invalid.
import { vi } from 'vitest';
import { EmailMarketingClient } from '../../../src/index.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import { type Situation, usable, wrongClient } from './situation.ts';

const { baseUrl, apiKey } = usable;

const listed = (options: object) => wrongClient(options).senders.list();

/** Returns a function that throws an error with this message. */
const failing = (message: string) => () => {
  throw new Error(message);
};

export const optionSituations: readonly Situation[] = [
  ['no key is set', () => new EmailMarketingClient({ baseUrl })],
  ['the variable for the key is not set', () => wrongClient({ apiKey: undefined })],
  ['the key is empty', () => wrongClient({ apiKey: '' })],
  ['the key contains a line break', () => wrongClient({ apiKey: 'the-key\n' })],
  ['the team id is undefined, and a key is given', () => wrongClient({ teamId: undefined })],
  ['the function for the key returns nothing', () => listed({ apiKey: () => undefined })],
  ['the function for the key throws', () => listed({ apiKey: failing('the vault is closed') })],
  ['no base URL is set', () => new EmailMarketingClient({ apiKey })],
  ['neither is set', () => new EmailMarketingClient()],
  ['the base URL is not a URL', () => wrongClient({ baseUrl: 'https://' })],
  ['the base URL has no scheme', () => wrongClient({ baseUrl: 'localhost:4010' })],
  ['the base URL is not https', () => wrongClient({ baseUrl: 'http://api.example.com' })],
  ['the base URL has a query', () => wrongClient({ baseUrl: 'https://api.example.com?team=1' })],
  ['the base URL ends in /api/v1', () => listed({ baseUrl: `${usable.baseUrl}/api/v1` })],
  [
    'a legacy call without a team id',
    () =>
      new EmailMarketingClient({ baseUrl, apiKey, logLevel: 'off' }).legacy.track({
        email: 'ada@example.com',
        addTags: ['vip'],
      }),
  ],
  ['the key in place of the options', () => new EmailMarketingClient(apiKey as never)],
  ['a sandbox in place of its `clientOptions`', () => new EmailMarketingClient(createSandbox() as never)],
  ['a mistyped option', () => wrongClient({ apikey: 'the-key' })],
  ['an option of another library', () => wrongClient({ retries: 3 })],
  ['`timeout` is 0', () => wrongClient({ timeout: 0 })],
  ['`timeout` is null', () => wrongClient({ timeout: null })],
  ['`maxRetries` is negative', () => wrongClient({ maxRetries: -1 })],
  ['`logLevel` has no such value', () => wrongClient({ logLevel: 'verbose' })],
  ['`logger` is not a logger', () => wrongClient({ logger: 'console' })],
  ['`validation` has no such value', () => wrongClient({ validation: 'loose' })],
  ['`fetch` is not a function', () => wrongClient({ fetch: 'node-fetch' })],
  ['a hook is not a function', () => wrongClient({ hooks: { onRequest: true } })],
  ['a hook that does not exist', () => wrongClient({ hooks: { beforeRequest: () => {} } })],
  ['`throttle` allows nothing', () => wrongClient({ throttle: { requestsPerSecond: 0 } })],
  ['`throttle.maxQueue` is negative', () => wrongClient({ throttle: { concurrency: 1, maxQueue: -1 } })],
  ['a header that carries the key', () => wrongClient({ headers: { 'X-Team-ApiKey': 'the-key' } })],
  ['a header with a line break', () => wrongClient({ headers: { 'x-app': 'shop\r\nx-more: 1' } })],
  ['a library adds a member to every object', withMemberOfEveryObject],
  ['a key in a browser', () => inBrowser(() => wrongClient({ ...usable }))],
];

/** Makes a call while every object has an enumerable member. */
async function withMemberOfEveryObject(): Promise<unknown> {
  Object.defineProperty(Object.prototype, 'each', { value: () => {}, enumerable: true, configurable: true });
  try {
    return await wrongClient({}).tags.create({ name: 'vip' });
  } finally {
    Reflect.deleteProperty(Object.prototype, 'each');
  }
}

/** Runs a function with the globals of a web page. */
function inBrowser(run: () => unknown): unknown {
  vi.stubGlobal('window', { document: {} });
  vi.stubGlobal('document', {});
  try {
    return run();
  } finally {
    vi.unstubAllGlobals();
  }
}
