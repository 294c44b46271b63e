import { isObject } from '../../core/json.ts';
import {
  aBoolean,
  aCount,
  aFunction,
  anything,
  aWholeNumber,
  type OptionRules,
  oneOf,
  required,
  rule,
} from '../../core/option-rules.ts';
import { maxTimerMs } from '../../core/timers.ts';
import { aText, checkMembers, httpStatus, isText, noSuch } from '../rules.ts';
import { aTextMap } from '../service/record-kinds.ts';
import type { ActiveFault, FaultKind, FaultTarget, ReceivedRequest } from './fault-kinds.ts';

/** Fault to add: its kind, and the options of that kind. */
export type FaultSettings = Omit<ActiveFault, 'number' | 'operation' | 'hits'>;

/** Members of a request that a pattern can match. */
export const requestRules: OptionRules<keyof ReceivedRequest> = {
  number: aWholeNumber(1),
  time: aText,
  endpoint: aText,
  operation: aText,
  method: aText,
  path: aText,
  query: aTextMap,
  headers: aTextMap,
  body: anything,
};

const limits: OptionRules = {
  when: rule(
    'a function, or an object of members to match',
    value => aFunction.isValid(value) || isObject(value),
  ),
  after: aWholeNumber(0),
  times: aCount(1),
  acted: aBoolean,
};
const milliseconds = rule(
  `a number of milliseconds from 0 to ${maxTimerMs}`,
  value => typeof value === 'number' && value >= 0 && value <= maxTimerMs,
);
const interruption: OptionRules = { ...limits, at: oneOf(['head', 'body']) };

/** Options of each kind of fault. */
const optionRules: Readonly<Record<FaultKind, OptionRules>> = {
  fail: {
    ...limits,
    status: httpStatus,
    retryAfter: rule('a number of seconds or an HTTP date', value => isText(value) || Number(value) >= 0),
    body: anything,
    headers: aTextMap,
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: required(milliseconds) },
  hold: limits,
};

/** Throws a `RangeError` if a target is unknown. */
export function checkTarget(target: string, valid: readonly string[]): asserts target is FaultTarget {
  if (!valid.includes(target)) throw noSuch('operation', String(target), valid);
}

/** Throws a `RangeError` that says what is wrong with a fault. */
export function checkSettings(settings: { readonly kind: string }): asserts settings is FaultSettings {
  const { kind, ...members } = settings;
  const [, rules] = Object.entries(optionRules).find(([name]) => name === kind) ?? [];
  if (rules === undefined) throw noSuch('kind of fault', String(kind), Object.keys(optionRules));
  checkMembers(`option of ${kind}`, members, rules, `${kind}: `);
  if ('when' in members && isObject(members.when))
    checkMembers('member of when', members.when, requestRules, `${kind}: when.`);
}
