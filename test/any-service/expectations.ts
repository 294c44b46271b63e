// What a call must be over any service: right, or a typed error that is true.
import { expect } from 'vitest';
import { ApiError, type ApiPromise, EmailMarketingError } from '../../src/index.ts';
import type { AnyService } from './any-service.ts';

/** What is known of a call before it is made. */
export interface Expected {
  /** `true` if the service must respond with an error. */
  readonly fails?: boolean;
  /** `true` if it can succeed all the same, if earlier calls or attempts have failed. */
  readonly mayPass?: boolean;
  /** Number of changes that the call makes if it succeeds. */
  readonly changes?: 0 | 1;
  /** `true` if the service can report success without a change, if earlier calls have failed. */
  readonly mayChangeNothing?: boolean;
  /** `true` if a second request changes nothing more. */
  readonly idempotent?: boolean;
  /** The result. */
  readonly data?: unknown;
}

/** Makes a call to a service that does not fail by itself. */
export async function checkCall(
  service: AnyService,
  title: string,
  call: () => ApiPromise<unknown>,
  { fails = false, changes = 0, data }: Expected,
): Promise<void> {
  const before = service.acted;
  const result = await call().safe();
  expect(result.ok ? 'success' : 'error', `${title}: ${result.ok || result.error}`).toBe(
    fails ? 'error' : 'success',
  );
  if (result.ok) {
    expect(service.acted - before, title).toBe(changes);
    if (data !== undefined) expect(result.data, title).toMatchObject(data as object);
    return;
  }
  const { error } = result;
  expect(error, title).toBeInstanceOf(ApiError);
  expect(service.acted - before, title).toBe(0);
  const isUnknown = error.name === 'ServerError' || isContradictory(service);
  expect(error.outcome, `${title}: ${error}`).toBe(isUnknown ? 'unknown' : 'refused');
}

/** Forms of the errors of the legacy interface that are those of the service, or that never come under 200. */
const decisiveForms: readonly string[] = ['documented', 'text status', 'number', 'text', 'empty'];

/** Statuses that something in between also sends in place of a response. */
const inPlaceOfResponse: readonly number[] = [403, 404, 410];

/** Returns `true` for a failure that is reported in a form of nobody knows whom: under 200, or under such a status. */
function isContradictory({ hasRefusedLegacy, decisions: { legacyForm, legacyStatus } }: AnyService): boolean {
  if (!hasRefusedLegacy) return false;
  if (inPlaceOfResponse.includes(legacyStatus)) return legacyForm !== 'documented';
  return legacyStatus === 200 && !decisiveForms.includes(legacyForm);
}

/** Makes a call to a service that fails, before it acts or after: what the client says of it must be true. */
export async function checkTruth(
  service: AnyService,
  title: string,
  call: () => ApiPromise<unknown>,
  { fails = false, mayPass = false, mayChangeNothing = false, changes = 0, idempotent = false }: Expected,
): Promise<void> {
  const before = service.acted;
  const result = await call().safe();
  const acted = service.acted - before;
  const said = `${title}: ${result.ok ? 'success' : `${result.error.outcome}, ${result.error}`}`;
  if (!idempotent) expect(acted, said).toBeLessThanOrEqual(1);
  if (result.ok) {
    expect(fails && !mayPass, said).toBe(false);
    if (changes === 1 && !mayChangeNothing) expect(acted, said).toBeGreaterThan(0);
    return;
  }
  expect(EmailMarketingError.isInstance(result.error), said).toBe(true);
  const { outcome } = result.error;
  if (outcome === 'refused' || outcome === 'not-sent') expect(acted, said).toBe(0);
  if (outcome === 'done' && changes === 1) expect(acted, said).toBeGreaterThan(0);
}
