import { isObject } from '../../core/json.ts';
import {
  aBoolean,
  aCount,
  aFunction,
  anything,
  aWholeNumber,
  type OptionRule,
  type OptionRules,
  oneOf,
  required,
  rule,
} from '../../core/option-rules.ts';
import { maxTimerMs } from '../../core/timers.ts';
import { checkMembers, httpStatus, isText, unknownName } from '../rules.ts';
import { fieldTypes } from '../service/record-kinds.ts';
import type { ActiveFault, FaultKind, FaultTarget, ReceivedRequest } from './fault-kinds.ts';

/** Fault to add: its kind, and the options of that kind. */
export type FaultSettings = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

const { text, textMap } = fieldTypes;

/** What a pattern can match of a request. */
export const requestRules: OptionRules<keyof ReceivedRequest> = {
  number: aWholeNumber(1),
  time: text,
  endpoint: text,
  operation: text,
  method: text,
  path: text,
  query: textMap,
  headers: textMap,
  body: rule('an object or array; to match text, use a function', value => typeof value === 'object'),
};

const limits: OptionRules = {
  when: {
    expected: 'a function, or an object of members to match',
    isValid: value => aFunction.isValid(value) || isObject(value),
  },
  after: aWholeNumber(0),
  times: aCount(1),
  acted: aBoolean,
};
const milliseconds: OptionRule = {
  expected: `a number of milliseconds from 0 to ${maxTimerMs}`,
  isValid: value => typeof value === 'number' && value >= 0 && value <= maxTimerMs,
};
const interruption: OptionRules = { ...limits, at: oneOf(['head', 'body']) };

/** Options of each kind of fault. */
const optionRules: Readonly<Record<FaultKind, OptionRules>> = {
  fail: {
    ...limits,
    status: httpStatus,
    retryAfter: { expected: 'a number of seconds (0 or more) or an HTTP date', isValid: isRetryAfter },
    body: anything,
    headers: { expected: 'an object of header names and values', isValid: isHeaders },
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: required(milliseconds) },
  hold: limits,
};

/** Throws a `RangeError` if there is no such target. */
export function checkTarget(target: string, valid: readonly string[]): asserts target is FaultTarget {
  if (!valid.includes(target)) throw unknownName('operation', String(target), valid);
}

/** Throws a `RangeError` that says what is wrong with a fault. */
export function checkSettings(settings: { readonly kind: string }): asserts settings is FaultSettings {
  const { kind, ...members } = settings;
  const [, rules] = Object.entries(optionRules).find(([name]) => name === kind) ?? [];
  if (rules === undefined) throw unknownName('kind of fault', String(kind), Object.keys(optionRules));
  checkMembers(`option of ${kind}`, members, rules, `${kind}: `);
  if ('when' in members && isObject(members.when))
    checkMembers('member of when', members.when, requestRules, `${kind}: when.`);
}

function isRetryAfter(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value);
  return isText(value) && (/^\d+$/.test(value) || new Date(value).toUTCString() === value);
}

function isHeaders(value: unknown): boolean {
  try {
    return isObject(value) && new Headers(value as HeadersInit) instanceof Headers;
  } catch {
    return false;
  }
}
