import * as rules from '../rules.ts';
import type { ActiveFault, FaultKind, FaultTarget } from './kinds.ts';

/** Fault to add: its kind, and the options of that kind. */
export type FaultOrder = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

/** Longest delay of a timer, in milliseconds. */
export const maxTimerMs = 2 ** 31 - 1;
/** Longest period of a rate limit, in seconds: a year. */
const maxPeriodSeconds = 31_536_000;

const requests = (least: number) => rules.wholeNumber(least, undefined, 'requests');
const times = requests(1);
const scope: rules.Rules = {
  when: {
    expected: 'a function, or an object of members to match',
    accepts: value => rules.callback.accepts(value) || rules.isObject(value),
  },
  after: requests(0),
  times: { ...times, accepts: value => value === Number.POSITIVE_INFINITY || times.accepts(value) },
  chance: rules.number(0, 1),
};
const limits: rules.Rules = { ...scope, acted: rules.flag };
const interruption: rules.Rules = { ...limits, at: rules.oneOf(['head', 'body']) };
const milliseconds = rules.number(0, maxTimerMs, 'milliseconds');

/** Options of each kind of fault. */
const optionRules: Readonly<Record<FaultKind, rules.Rules>> = {
  fail: {
    ...limits,
    status: rules.httpStatus,
    retryAfter: { expected: 'a number of seconds (0 or more) or an HTTP date', accepts: isRetryAfter },
    body: { expected: 'text or a JSON value', accepts: isJson },
    headers: { expected: 'an object of header names and values', accepts: isHeaders },
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: milliseconds, jitterMs: milliseconds },
  hold: limits,
  lag: { ...scope, ms: milliseconds },
  duplicate: scope,
  trickle: { ...scope, ms: milliseconds },
  rateLimit: { requests: requests(0), perSeconds: rules.number(0, maxPeriodSeconds, 'seconds') },
};
const required: Partial<Record<FaultKind, string>> = {
  latency: 'ms',
  lag: 'ms',
  trickle: 'ms',
  rateLimit: 'requests',
};

/** Throws a `RangeError`, which suggests a similar name, if there is no such target. */
export function checkTarget(target: FaultTarget, valid: readonly string[]): void {
  if (!valid.includes(target)) throw rules.unknownName('operation', String(target), valid);
}

/** Throws a `RangeError` that says what is wrong with a fault, so that no mistake in a test goes unnoticed. */
export function checkOrder(order: FaultOrder): void {
  const { kind, ...members } = order;
  if (!Object.hasOwn(optionRules, kind))
    throw rules.unknownName('kind of fault', String(kind), Object.keys(optionRules));
  rules.checkMembers(`option of ${kind}`, members, optionRules[kind], `${kind}: `);
  const missing = required[kind];
  if (missing !== undefined && !Object.hasOwn(members, missing))
    throw new RangeError(`${kind}: ${missing} is missing`);
  if (kind === 'latency')
    rules.check('latency: ms and jitterMs together', milliseconds, (order.ms ?? 0) + (order.jitterMs ?? 0));
}

function isRetryAfter(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value);
  return rules.isText(value) && isHeaders({ 'retry-after': value });
}

function isHeaders(value: unknown): boolean {
  try {
    new Headers(value as HeadersInit);
    return rules.isObject(value) && Object.values(value).every(isHeaderValue);
  } catch {
    return false;
  }
}

/** Returns `true` if a value can be sent in a header: printable Latin-1 characters and tabs. */
function isHeaderValue(value: unknown): boolean {
  return rules.isText(value) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
