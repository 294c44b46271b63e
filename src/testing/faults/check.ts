import { unknownName } from '../nearest.ts';
import type { ActiveFault, FaultKind, FaultTarget } from './kinds.ts';

/** A fault to switch on: its kind, and the options of that kind. */
export type FaultOrder = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

/** Maximum delay of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;
/** Maximum period of a rate limit, in seconds: a year. */
const maxPeriodSeconds = 31_536_000;

/** The values that a member of a fault can have. */
interface MemberRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const number = (least: number, most: number, unit: string, whole = true): MemberRule => ({
  expected: `a ${whole ? 'whole ' : ''}number of ${unit} from ${least} to ${most}`,
  accepts: value =>
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (Number.isSafeInteger(value) || (!whole && Number.isFinite(value))),
});
const flag: MemberRule = { expected: 'true or false', accepts: value => typeof value === 'boolean' };
const count = number(0, Number.MAX_SAFE_INTEGER, 'requests');
const times = number(1, Number.MAX_SAFE_INTEGER, 'requests');
const limits: Record<string, MemberRule> = {
  times: { ...times, accepts: value => value === Number.POSITIVE_INFINITY || times.accepts(value) },
  chance: { ...number(0, 1, '', false), expected: 'a number from 0 to 1' },
};
const interruption: Record<string, MemberRule> = {
  ...limits,
  at: { expected: '"head" or "body"', accepts: value => value === 'head' || value === 'body' },
  acted: flag,
};

/** The members that each kind of fault can have, and what they can be. */
const rules: Record<FaultKind, Record<string, MemberRule>> = {
  fail: {
    ...limits,
    status: { ...number(200, 599, ''), expected: 'an HTTP status from 200 to 599' },
    retryAfter: { expected: 'seconds from 0, or an HTTP date', accepts: isRetryAfter },
    body: { expected: 'text, or a value that JSON can hold', accepts: isJson },
    headers: { expected: 'an object of header names and values', accepts: isHeaders },
    acted: flag,
  },
  stall: interruption,
  drop: interruption,
  latency: {
    ...limits,
    ms: number(0, maxTimerMs, 'milliseconds', false),
    jitterMs: number(0, maxTimerMs, 'milliseconds', false),
  },
  rateLimit: { requests: count, perSeconds: number(0, maxPeriodSeconds, 'seconds', false) },
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
  for (const [name, value] of Object.entries(members)) {
    const rule = Object.hasOwn(rules[kind], name) ? rules[kind][name] : undefined;
    if (rule === undefined) throw unknownName(`option of ${kind}`, name, Object.keys(rules[kind]));
    if (value !== undefined && !rule.accepts(value))
      throw new RangeError(`${kind}: ${name} must be ${rule.expected} (got ${shown(value)})`);
  }
  const missing = required[kind];
  if (missing !== undefined && !Object.hasOwn(members, missing))
    throw new RangeError(`${kind}: ${missing} is missing`);
  if ((order.ms ?? 0) + (order.jitterMs ?? 0) > maxTimerMs)
    throw new RangeError(`latency: ms and jitterMs must be at most ${maxTimerMs} together`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 50)) : String(value).slice(0, 50);
}

function isRetryAfter(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value);
  return typeof value === 'string' && isHeaders({ 'retry-after': value });
}

function isHeaders(value: unknown): boolean {
  try {
    new Headers(value as HeadersInit);
    return typeof value === 'object' && value !== null && Object.values(value).every(isHeaderValue);
  } catch {
    return false;
  }
}

/** Returns `true` if a value can be sent in a header: printable Latin-1 characters and tabs. */
function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function isJson(value: unknown): boolean {
  try {
    return value === undefined || JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
