import {
  check,
  checkMembers,
  flag,
  httpStatus,
  isObject,
  isText,
  number,
  oneOf,
  type Rules,
  unknownName,
  wholeNumber,
} from '../rules.ts';
import type { ActiveFault, FaultKind, FaultTarget } from './kinds.ts';

/** A fault to switch on: its kind, and the options of that kind. */
export type FaultOrder = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

/** Maximum delay of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;
/** Maximum period of a rate limit, in seconds: a year. */
const maxPeriodSeconds = 31_536_000;

const requests = (least: number) => wholeNumber(least, undefined, 'requests');
const times = requests(1);
const limits: Rules = {
  times: { ...times, accepts: value => value === Number.POSITIVE_INFINITY || times.accepts(value) },
  chance: number(0, 1),
};
const interruption: Rules = { ...limits, at: oneOf(['head', 'body']), acted: flag };
const milliseconds = number(0, maxTimerMs, 'milliseconds');

/** The members that each kind of fault can have, and what they can be. */
const rules: Readonly<Record<FaultKind, Rules>> = {
  fail: {
    ...limits,
    status: httpStatus,
    retryAfter: { expected: 'seconds from 0, or an HTTP date', accepts: isRetryAfter },
    body: { expected: 'text, or a value that JSON can hold', accepts: isJson },
    headers: { expected: 'an object of header names and values', accepts: isHeaders },
    acted: flag,
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: milliseconds, jitterMs: milliseconds },
  rateLimit: { requests: requests(0), perSeconds: number(0, maxPeriodSeconds, 'seconds') },
};
const required: Partial<Record<FaultKind, string>> = { latency: 'ms', rateLimit: 'requests' };

/** Throws a `RangeError` with the nearest valid name for a fault's target that does not exist. */
export function checkTarget(target: FaultTarget, valid: readonly string[]): void {
  if (!valid.includes(target)) throw unknownName('operation', String(target), valid);
}

/** Throws a `RangeError` that names what is wrong with a fault, so that a mistake in a test does not pass unseen. */
export function checkOrder(order: FaultOrder): void {
  const { kind, ...members } = order;
  if (!Object.hasOwn(rules, kind)) throw unknownName('kind of fault', String(kind), Object.keys(rules));
  checkMembers(`option of ${kind}`, members, rules[kind], `${kind}: `);
  const missing = required[kind];
  if (missing !== undefined && !Object.hasOwn(members, missing))
    throw new RangeError(`${kind}: ${missing} is missing`);
  if (kind === 'latency')
    check('latency: ms and jitterMs together', milliseconds, (order.ms ?? 0) + (order.jitterMs ?? 0));
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

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
