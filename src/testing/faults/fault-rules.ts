import { isObject, toJsonText } from '../../core/json.ts';
import {
  aBoolean,
  aCount,
  aFunction,
  aWholeNumber,
  type OptionRules,
  oneOf,
  required,
} from '../../core/option-rules.ts';
import { maxTimerMs } from '../../core/timers.ts';
import { checkMembers, httpStatus, isText, number, unknownName } from '../rules.ts';
import type { ActiveFault, FaultKind, FaultTarget } from './kinds.ts';

/** Fault to add: its kind, and the options of that kind. */
export type FaultOrder = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

/** Longest period of a rate limit, in seconds: a year. */
const maxPeriodSeconds = 31_536_000;

const scope: OptionRules = {
  when: {
    expected: 'a function, or an object of members to match',
    isValid: value => aFunction.isValid(value) || isObject(value),
  },
  after: aWholeNumber(0),
  times: aCount(1),
  chance: number(0, 1),
};
const limits: OptionRules = { ...scope, acted: aBoolean };
const interruption: OptionRules = { ...limits, at: oneOf(['head', 'body']) };
const milliseconds = number(0, maxTimerMs, 'milliseconds');

/** Options of each kind of fault. */
const optionRules: Readonly<Record<FaultKind, OptionRules>> = {
  fail: {
    ...limits,
    status: httpStatus,
    retryAfter: { expected: 'a number of seconds (0 or more) or an HTTP date', isValid: isRetryAfter },
    body: { expected: 'text or a JSON value', isValid: value => toJsonText(value, '').ok },
    headers: { expected: 'an object of header names and values', isValid: isHeaders },
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: required(milliseconds), jitterMs: milliseconds },
  hold: limits,
  rateLimit: { requests: required(aWholeNumber(0)), perSeconds: number(0, maxPeriodSeconds, 'seconds') },
};

/** Throws a `RangeError`, which suggests a similar name, if there is no such target. */
export function checkTarget(target: FaultTarget, valid: readonly string[]): void {
  if (!valid.includes(target)) throw unknownName('operation', String(target), valid);
}

/** Throws a `RangeError` that says what is wrong with a fault, so that no mistake in a test goes unnoticed. */
export function checkOrder(order: FaultOrder): void {
  const { kind, ...members } = order;
  if (!Object.hasOwn(optionRules, kind))
    throw unknownName('kind of fault', String(kind), Object.keys(optionRules));
  checkMembers(`option of ${kind}`, members, optionRules[kind], `${kind}: `);
}

function isRetryAfter(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value);
  return isText(value) && isHeaders({ 'retry-after': value });
}

function isHeaders(value: unknown): boolean {
  try {
    new Headers(value as HeadersInit);
    return isObject(value) && Object.values(value).every(isHeaderValue);
  } catch {
    return false;
  }
}

/** Returns `true` if a value can be sent in a header: printable Latin-1 characters and tabs. */
function isHeaderValue(value: unknown): boolean {
  return isText(value) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
