// What holds for a call over any service: its result is right, or its error is typed and true.
import { expect } from 'vitest';
import { ApiError, type ApiPromise, EmailMarketingError } from '../../src/index.ts';
import type { AnyService } from './any-service.ts';

/** Expected result of a call. */
export interface Expected {
  /** `true` if the service must respond with an error. */
  readonly fails?: boolean;
  /** `true` if it can still succeed, because earlier calls or attempts may have failed. */
  readonly mayPass?: boolean;
  /** Number of changes that the call makes if it succeeds. */
  readonly changes?: 0 | 1;
  /** `true` if a success can change nothing, because earlier calls may have failed. */
  readonly mayChangeNothing?: boolean;
  /** `true` if a second request changes nothing more. */
  readonly idempotent?: boolean;
  /** The result. */
  readonly data?: object;
}

/** Forms of legacy errors that only the service sends, or that never come with status 200. */
const decisiveForms: readonly string[] = ['documented', 'text status', 'number', 'text', 'empty'];

/** Statuses that a gateway also sends in place of a response. */
const inPlaceOfResponse: readonly number[] = [403, 404, 410];

/** Returns `true` for a failure whose form does not show who reported it: with 200, or with a status of gateways. */
function isContradictory({ hasRefusedLegacy, decisions: { legacyForm, legacyStatus } }: AnyService): boolean {
  if (!hasRefusedLegacy) return false;
  if (inPlaceOfResponse.includes(legacyStatus)) return legacyForm !== 'documented';
  return legacyStatus === 200 && !decisiveForms.includes(legacyForm);
}

/** Makes a call. What the client reports must be true; unless requests fail at random, it must also be complete. */
export async function checkCall(
  service: AnyService,
  isReliable: boolean,
  title: string,
  call: () => ApiPromise<unknown>,
  {
    fails = false,
    mayPass = false,
    mayChangeNothing = false,
    changes = 0,
    idempotent = false,
    data,
  }: Expected,
): Promise<void> {
  const before = service.acted;
  const result = await call().safe();
  const acted = service.acted - before;
  const reported = `${title}: ${result.ok ? 'success' : `${result.error.outcome}, ${result.error}`}`;
  if (isReliable) expect(result.ok, reported).toBe(!fails);
  if (!idempotent) expect(acted, reported).toBeLessThanOrEqual(1);
  if (result.ok) {
    if (isReliable) expect(acted, reported).toBe(changes);
    if (isReliable && data !== undefined) expect(result.data, reported).toMatchObject(data);
    expect(fails && !mayPass, reported).toBe(false);
    if (changes === 1 && !mayChangeNothing) expect(acted, reported).toBeGreaterThan(0);
    return;
  }
  const { name, outcome } = result.error;
  expect(result.error, reported).toBeInstanceOf(isReliable ? ApiError : EmailMarketingError);
  if (outcome === 'refused' || outcome === 'not-sent') expect(acted, reported).toBe(0);
  if (outcome === 'done' && changes === 1) expect(acted, reported).toBeGreaterThan(0);
  if (!isReliable) return;
  expect(acted, reported).toBe(0);
  const isUnknown = name === 'ServerError' || isContradictory(service);
  expect(outcome, reported).toBe(isUnknown ? 'unknown' : 'refused');
}
