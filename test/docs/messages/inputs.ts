// Situations in which a call, a helper or an iteration gets an invalid input.
import { bulk, decrement, epochNanoseconds } from '../../../src/index.ts';
import { suffix } from '../../support/specified-records.ts';
import { clientWith, type Situation, untyped } from './situation.ts';

const email = 'ada@example.com';
const identify = (more: object) => clientWith().legacy.identify(untyped({ email, ...more }));
const record = (more: object) =>
  clientWith().events.record(untyped({ name: 'signup', identifier: email, ...more }));
const listed = (query: object) => clientWith().contacts.list(untyped(query));
const listedWith = (options: object) => clientWith().senders.list(untyped(options));
const iterated = async (filter: object, options: object = {}) =>
  clientWith().contacts.all(untyped(filter), untyped(options)).toArray({ max: 1 });
const bulkOf = (source: unknown, options: object = {}, call: unknown = async () => {}) =>
  bulk(untyped(source), untyped(call), untyped(options)).toArray();

/** Sends a request to an endpoint without a method of its own. */
const requested = (request: object) =>
  clientWith().request(untyped({ api: 'rest', method: 'GET', path: '/report', ...request }));

export const inputSituations: readonly Situation[] = [
  ['a mistyped field', () => identify({ firstname: 'Ada' })],
  ['a field that does not exist', () => identify({ address: 'London' })],
  ['a field by the name that another service gives it', () => identify({ fname: 'Ada' })],
  ['a field that would mean consent', () => identify({ unsubscribed: true })],
  ['a birthday as a `Date`', () => identify({ birthday: new Date(0) })],
  ['a field that is null', () => identify({ firstName: null })],
  ['a required field is missing', () => clientWith().tags.create(untyped({}))],
  ['the whole input is missing', () => clientWith().tags.create(untyped(undefined))],
  ['several fields at once', () => identify({ email: 'ada', birthday: '10.12.1815', tags: [''] })],
  ['an id of another resource', () => clientWith().tags.delete(`list_${suffix}`)],
  ['an id that is too short', () => clientWith().tags.delete('tag_123')],
  ['`limit` is out of range', () => listed({ limit: 1000 })],
  ['`offset` is negative', () => listed({ offset: -1 })],
  ['`search` is too short', () => listed({ search: 'a' })],
  ['a query field that does not exist', () => listed({ page: 2 })],
  ['a custom field that is neither text nor number', () => identify({ customFields: { plan: ['pro'] } })],
  ['custom fields that are not a map', () => identify({ customFields: 'pro' })],
  ['tags that are not a list', () => identify({ tags: 'vip' })],
  ['an event time in milliseconds', () => record({ time: 1_766_394_250_613 })],
  ['an event without an identifier', () => record({ identifier: '' })],
  ['an option of a call that does not exist', () => listedWith({ timout: 5 })],
  ['an option of a call that cannot be used', () => listedWith({ timeout: -5 })],
  ['a `signal` that is not an `AbortSignal`', () => listedWith({ signal: 'abort' })],
  ['a header of a call that carries the key', () => listedWith({ headers: { api_key: 'the-key' } })],
  ['`request` of a whole URL', () => requested({ path: 'https://api.example.com/report' })],
  ['`request` without a parameter of its path', () => requested({ path: '/report/{id}' })],
  ['`request` with a body that is not JSON', () => requested({ method: 'POST', body: { count: 5n } })],
  ['`decrement` of a negative number', () => decrement(-1)],
  ['`epochNanoseconds` of text that is not a time', () => epochNanoseconds('yesterday')],
  ['an iteration with a `pageSize` out of range', () => iterated({}, { pageSize: 1000 })],
  ['an iteration with a `concurrency` of 0', () => iterated({}, { concurrency: 0 })],
  ['a checkpoint that is null', () => iterated({}, { checkpoint: null })],
  ['an invalid checkpoint', () => iterated({}, { checkpoint: 'page 3' })],
  ['a checkpoint with a wrong field', () => iterated({}, { checkpoint: { offset: -1 } })],
  ['`bulk` of nothing', () => bulkOf(null)],
  ['`bulk` of a value that is not iterable', () => bulkOf({})],
  ['`bulk` with a `concurrency` of 0', () => bulkOf([], { concurrency: 0 })],
  ['`bulk` with a function that returns no promise', () => bulkOf([1], {}, () => {})],
  ['`bulk` with an option that does not exist', () => bulkOf([], { parallel: 4 })],
];
