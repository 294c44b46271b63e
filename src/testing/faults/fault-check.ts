import { operationNames } from '../service/router.ts';
import type { FaultOrder, FaultTarget } from './faults.ts';

type Check = (value: unknown) => boolean;

const whole =
  (least: number): Check =>
  value =>
    Number.isSafeInteger(value) && (value as number) >= least;
const positive: Check = value => typeof value === 'number' && value >= 0 && Number.isFinite(value);
const truth: Check = value => typeof value === 'boolean';
const limits: Record<string, Check> = {
  times: value => value === Number.POSITIVE_INFINITY || whole(0)(value),
  chance: value => positive(value) && (value as number) <= 1,
};
const interruption: Record<string, Check> = {
  ...limits,
  at: value => value === 'head' || value === 'body',
  acted: truth,
};

/** The members that each kind of fault may have, and what they may be. */
const checks: Record<FaultOrder['kind'], Record<string, Check>> = {
  fail: {
    ...limits,
    status: value => whole(200)(value) && (value as number) <= 599,
    retryAfter: value => positive(value) || typeof value === 'string',
    body: () => true,
    headers: isHeaders,
    acted: truth,
  },
  stall: interruption,
  drop: interruption,
  latency: { ...limits, ms: positive, jitterMs: positive },
  rateLimit: { requests: whole(0), perSeconds: positive },
};
const required: Partial<Record<FaultOrder['kind'], string>> = { latency: 'ms', rateLimit: 'requests' };

/** Throws a `RangeError` that names what is wrong with a fault, so that a slip in a test does not pass unseen. */
export function checkFault(operation: FaultTarget, order: FaultOrder): void {
  const { kind, ...members } = order;
  if (operation !== '*' && !operationNames.includes(operation))
    throw new RangeError(`no operation ${operation}`);
  if (!Object.hasOwn(checks, kind)) throw new RangeError(`no kind of fault ${kind}`);
  for (const [name, value] of Object.entries(members)) {
    const check = Object.hasOwn(checks[kind], name) ? checks[kind][name] : undefined;
    if (value !== undefined && !check?.(value))
      throw new RangeError(`${kind}: ${name} can not be ${String(value)}`);
  }
  const missing = required[kind];
  if (missing !== undefined && !Object.hasOwn(members, missing))
    throw new RangeError(`${kind}: ${missing} is missing`);
}

function isHeaders(value: unknown): boolean {
  try {
    new Headers(value as HeadersInit);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
