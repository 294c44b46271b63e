// Attempts of a page to make a call, as they arrive at a handler, for the tests of call ids.
import { vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage, readReply } from './page.ts';

const allow = ['tags.create', 'tags.delete', 'contacts.list', 'legacy.identify'] as const;
export const create = { operation: 'tags.create', input: { name: 'vip' } };
export const id = '0123456789abcdef'.repeat(2);
export const first = { 'x-call-id': id };
export const retry = { 'x-call-id': id, 'x-call-retry': '1' };

/** Reply to an attempt whose call an earlier attempt may have performed. */
export const unknown = { status: 409, body: { error: { name: 'ConnectionError', outcome: 'unknown' } } };

/** A handler and how to send it attempts: a call with headers. */
export function serve(options: Partial<ProxyOptions> = {}, sandbox = createSandbox()) {
  const page = makePage({ allow, ...options }, sandbox, { timeout: 10_000 });
  const attempt = async (headers: Record<string, string>, call: object = create) =>
    readReply(await page.send(call, { headers }));
  return { ...page, attempt, acted: () => sandbox.requests.length };
}

/** A store as Redis would be one, for several handlers. */
export function sharedStore() {
  const values = new Map<string, string>();
  const set = vi.fn((key: string, value: string, { ifAbsent }: { ttl: number; ifAbsent: boolean }) => {
    if (ifAbsent && values.has(key)) return false;
    values.set(key, value);
    return true;
  });
  return { values, set, get: vi.fn(async (key: string) => values.get(key) ?? null) };
}
