import { type ApiPromise, CallPromise } from '../call/api-promise.ts';

/**
 * Returns an implementation for a mocked method of a client. Each call of it resolves to `data`, with status 200, and
 * has `.safe()` and `.withResponse()`.
 *
 * ```ts
 * import { mock } from 'node:test';
 *
 * const sender = { id: 'sender_1', name: 'Ada', email: 'ada@example.com', isWhitelisted: true };
 * mock.method(client.senders, 'list', resolvesTo([sender]));
 * console.log((await client.senders.list().safe()).ok); // true
 * ```
 */
export function resolvesTo<T>(data: T): () => ApiPromise<T> {
  return () => new CallPromise(Promise.resolve({ data, status: 200, headers: () => new Headers() }));
}

/**
 * Returns an implementation for a mocked method of a client. Each call of it rejects with `error`, or resolves to
 * `{ ok: false, error }` with `.safe()`.
 *
 * ```ts
 * import { mock } from 'node:test';
 *
 * mock.method(client.senders, 'list', rejectsWith(new EmailMarketingError('no')));
 * console.log((await client.senders.list().safe()).ok); // false
 * ```
 */
export function rejectsWith(error: Error): () => ApiPromise<never> {
  return () => new CallPromise(Promise.reject(error));
}
