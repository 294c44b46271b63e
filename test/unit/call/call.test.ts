// What follows from the failures of a call: another attempt, and its error. Pure functions of values.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallFailure, CallRequest } from '../../../src/call/call-state.ts';
import { failure, noResponseFailure, toError } from '../../../src/call/failure.ts';
import { waitBeforeRetry } from '../../../src/call/retries.ts';
import type { NoResponse } from '../../../src/call/send-result.ts';
import type { Outcome } from '../../../src/error-details.ts';
import { NetworkError } from '../../../src/transport/network-error.ts';
import { startedCall } from './one-call.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => void vi.restoreAllMocks());

const failed = (outcome: Outcome, more: Partial<CallFailure> = {}): CallFailure => ({
  ...failure('EmailMarketingError', { summary: 'it failed', outcome, isTransient: true }),
  ...more,
});

const refusedKey = failed('refused', { isKeyRefused: true, isTransient: false });
const [once, safe] = [{ idempotent: false }, { idempotent: true }];

test.each<[string, readonly CallFailure[], Partial<CallRequest>, number, number | undefined]>([
  ['a read, unknown', [failed('unknown')], safe, 1e9, 250],
  ['a read for the second time', [failed('unknown'), failed('unknown')], safe, 1e9, 500],
  ['a read for the third time', Array(3).fill(failed('unknown')), safe, 1e9, undefined],
  ['a write, unknown', [failed('unknown')], once, 1e9, undefined],
  ['a write, refused', [failed('refused')], once, 1e9, 250],
  ['a write that is performed once', [failed('unknown')], { ...once, isPerformedOnce: true }, 1e9, 250],
  ['a failure that is not transient', [failed('refused', { isTransient: false })], safe, 1e9, undefined],
  ['what took effect', [failed('done')], safe, 1e9, undefined],
  ['less time than the wait', [failed('unknown')], safe, 250, undefined],
  ['what the service asks for', [failed('refused', { retryAfterMs: 1_000 })], once, 1e9, 1_125],
  ['more than is waited for', [failed('refused', { retryAfterMs: 300_001 })], once, 1e9, undefined],
  ['a first 401 with a function for the key', [refusedKey], { ...once, renewsKey: true }, 1e9, 0],
  ['a first 401 with a text as key', [refusedKey], once, 1e9, undefined],
  ['a second 401', [refusedKey, refusedKey], { ...once, renewsKey: true }, 1e9, undefined],
])('waits before another attempt: %s', (_, failures, request, timeLeftMs, ms) => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const call = startedCall();
  const failed = {
    ...call,
    options: { ...call.options, totalTimeout: timeLeftMs },
    request: { ...call.request, ...request },
    failures: [...failures],
  };
  expect(waitBeforeRetry(failed, { phase: 'head' })).toBe(ms);
});

test.each(['permit', 'headers', 'key'] as const)(
  'makes no other attempt if the last one ended in %s',
  phase => {
    const call = startedCall();
    const request = { ...call.request, ...safe };
    expect(waitBeforeRetry({ ...call, request, failures: [failed('not-sent')] }, { phase })).toBeUndefined();
  },
);

/** The error of a call of `tags.create` with these failures. */
const errorOf = (failures: CallFailure[], idempotent = false) =>
  toError({ ...startedCall(), failures, request: { path: '/tag', idempotent } });

describe('the error of a call', () => {
  test.each<[readonly Outcome[], Outcome]>([
    [['not-sent'], 'not-sent'],
    [['refused', 'not-sent'], 'refused'],
    [['unknown', 'refused'], 'unknown'],
    [['unknown', 'not-sent'], 'unknown'],
    [['unknown', 'done'], 'done'],
  ])('after attempts with the outcomes %j has the outcome %s', (outcomes, outcome) => {
    expect(errorOf(outcomes.map(each => failed(each))).outcome).toBe(outcome);
  });

  test.each<[Outcome, boolean, string]>([
    ['refused', false, 'tags.create: it failed. Try again later.'],
    ['unknown', true, 'tags.create: it failed. Try again later.'],
    ['unknown', false, 'tags.create: it failed. It may have taken effect. Check before you repeat it.'],
    ['done', false, 'tags.create: it failed. It took effect. Do not repeat it.'],
  ])('says what to do next: %s, idempotent %s', (outcome, idempotent, message) => {
    expect(errorOf([failed(outcome)], idempotent).message).toBe(message);
  });
});

test.each<[Pick<NoResponse, 'phase' | 'end' | 'thrown'>, Partial<CallFailure>]>([
  [
    { phase: 'permit', end: 'abort' },
    { outcome: 'not-sent', reason: 'aborted', isTransient: false },
  ],
  [
    { phase: 'head', end: 'abort' },
    { outcome: 'unknown', reason: 'aborted', isTransient: false },
  ],
  [
    { phase: 'key', end: 'timeout' },
    { outcome: 'not-sent', summary: expect.stringContaining('phase queue'), isTransient: true },
  ],
  [
    { phase: 'permit', end: 'totalTimeout' },
    { outcome: 'not-sent', summary: expect.stringContaining('totalTimeout'), isTransient: true },
  ],
  [
    { phase: 'head', end: 'timeout' },
    { outcome: 'unknown', reason: 'timeout in head', isTransient: true },
  ],
  [
    { phase: 'body', end: 'totalTimeout' },
    { outcome: 'unknown', reason: 'timeout in body', isTransient: true },
  ],
  [
    { phase: 'headers', end: 'error', thrown: 1 },
    { outcome: 'not-sent', summary: expect.stringContaining('that returns the headers threw') },
  ],
  [
    { phase: 'head', end: 'error', thrown: new NetworkError({ wasSent: false, code: 'ECONNREFUSED' }) },
    { outcome: 'not-sent', errorName: 'ConnectionError', reason: 'ECONNREFUSED', isTransient: true },
  ],
  [
    { phase: 'head', end: 'error', thrown: new NetworkError({}) },
    { outcome: 'unknown', errorName: 'ConnectionError', reason: 'network failure', isTransient: true },
  ],
])('an attempt that ended with %o is %o', (attempt, expected) => {
  const ended = { sentAt: 0, endedAt: 1, ...attempt };
  expect(noResponseFailure(startedCall(), ended)).toMatchObject(expected);
});
