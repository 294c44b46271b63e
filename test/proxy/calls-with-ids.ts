// A handler whose calls have ids, for the tests of call ids.
import { vi } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import type { CallStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage, readReply } from './page.ts';

const allow = ['tags.create', 'tags.delete', 'contacts.list', 'legacy.identify'] as const;
export const create = { operation: 'tags.create', input: { name: 'vip' } };
export const email = 'ada@example.com';
export const tagId = `tag_${'a1'.repeat(11)}`;
export const withTag = () => createSandbox({ seed: { tags: [{ id: tagId, name: 'old' }] } });
export const id = '0123456789abcdef'.repeat(2);
export const first = { 'x-call-id': id };
export const marked = { 'x-call-retry': '1' };
export const retry = { ...first, ...marked };
export const idOf = (number: number) => number.toString(16).padStart(32, '0');
/** Result of which the memory has room for two: a character takes two bytes. */
export const large = 'x'.repeat(2_400_000);
export const createTag = (number: number) => ({ operation: 'tags.create', input: { name: `tag ${number}` } });

/** Reply to an attempt whose call an earlier attempt may have performed. */
export const unknown = { status: 409, body: { error: { name: 'ConnectionError', outcome: 'unknown' } } };

/** Creates a handler. `attempt` sends it a call; `createTags` sends it several, and returns the statuses. */
export function serve(
  options: Partial<ProxyOptions> = {},
  sandbox = createSandbox(),
  client: ClientOptions = { timeout: 10_000 },
) {
  const page = makePage({ allow, ...options }, sandbox, client);
  const attempt = async (headers: Record<string, string>, call: object = create) =>
    readReply(await page.send(call, { headers }));
  const createTags = async (numbers: readonly number[], headers: Record<string, string> = {}) => {
    const calls = numbers.map(each => attempt({ 'x-call-id': idOf(each), ...headers }, createTag(each)));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  return { ...page, attempt, createTags, acted: () => sandbox.requests.length };
}

/** Makes a store that several handlers share, like Redis. */
export function sharedStore() {
  const values = new Map<string, string>();
  const set = vi.fn<CallStore['set']>((key, value, { ifAbsent }) => {
    if (ifAbsent && values.has(key)) return false;
    values.set(key, value);
    return true;
  });
  return { values, set, get: vi.fn(async (key: string) => values.get(key) ?? null) };
}
