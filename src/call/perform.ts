import { checkOptions } from '../core/option-rules.ts';
import { sleep } from '../core/timers.ts';
import type { Attempt } from '../error-details.ts';
import { InvalidRequestError } from '../errors.ts';
import { type ApiPromise, addCallSite, CallPromise, type CallResult } from './api-promise.ts';
import { timeLeftMs, wasSent } from './attempt.ts';
import {
  lazyCallId,
  type ObservedCall,
  reportFailure,
  reportRequest,
  reportRetry,
  reportSuccess,
} from './call-events.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import type { CallSettings } from './call-settings.ts';
import type { AttemptContext, AttemptResult, CallSteps } from './call-steps.ts';
import { type CallFailure, toError } from './failure.ts';
import { type CallRequest, waitBeforeRetry } from './retries.ts';

/** Performs a call of either client. */
export const perform = <Request extends CallRequest, Data>(
  steps: CallSteps<Request, Data>,
  settings: CallSettings,
  callOptions: CallOptions | undefined,
): ApiPromise<Data> => new CallPromise(run(steps, settings, callOptions));

/** Checks options and input, makes the attempts, and reports how the call ended. */
async function run<Request extends CallRequest, Data>(
  steps: CallSteps<Request, Data>,
  settings: CallSettings,
  callOptions: CallOptions | undefined,
): Promise<CallResult<Data>> {
  const { target, url, encode } = steps;
  const { path } = target;
  const callSite = new Error();
  const startedAt = performance.now();
  const attempts: Attempt[] = [];
  const releases: (() => void)[] = [];
  const { options: defaults } = settings;
  const id = lazyCallId();
  let call: ObservedCall = { id, target, url, path, settings, options: defaults, startedAt, attempts };
  try {
    const options = optionsOf(target.name, settings, callOptions);
    const request = encode();
    call = { ...call, options, path: request.path };
    const result = await makeAttempts(call, request, steps, releases);
    reportSuccess(call);
    return result;
  } catch (error) {
    // The stack of an input that was refused here holds the caller's line already.
    if (!(error instanceof InvalidRequestError) || attempts.length > 0) addCallSite(error, callSite);
    reportFailure(call, error);
    throw error;
  } finally {
    for (const release of releases) release();
  }
}

function optionsOf(
  operation: string,
  { options, redact }: CallSettings,
  callOptions: CallOptions | undefined,
): ResolvedCallOptions {
  if (callOptions === undefined) return options;
  checkOptions(operation, callOptions, callOptionRules(), redact);
  return mergeCallOptions(options, callOptions);
}

/** Makes attempts until one has data that can be parsed. Throws the error of the call if there is no other attempt. */
async function makeAttempts<Request extends CallRequest, Data>(
  call: ObservedCall,
  request: Request,
  { attempt, parse }: CallSteps<Request, Data>,
  releases: (() => void)[],
): Promise<CallResult<Data>> {
  const { target, settings, options, startedAt, attempts } = call;
  const { idempotent } = request;
  const { signal, timeout, totalTimeout, maxRetries } = options;
  const limits = { signal, timeout, endsAt: startedAt + totalTimeout };
  const failures: CallFailure[] = [];
  const reportStart = () => reportRequest(call);
  const atEnd = (release: () => void) => void releases.push(release);
  const context: AttemptContext = { ...call, limits, failures, reportStart, atEnd };
  for (let idleSince = startedAt; ; ) {
    // Without a limiter, nothing is awaited: a page that is left runs no later step.
    const permit = settings.rateLimiter && (await settings.rateLimiter.permitFor(context));
    if (typeof permit === 'object') throw toError(target.name, [...failures, permit], attempts, idempotent);
    if (permit) releases.push(permit);
    const made = await attempt(request, context);
    const { result } = made;
    // Before another call starts, the limiter learns how long the service asks all of them to wait.
    permit?.('data' in result ? undefined : result.retryAfterMs);
    const entry = entryOf(made, idleSince);
    if (wasSent(made)) attempts.push(entry);
    idleSince = made.endedAt;
    const parsed = 'data' in result ? await parse(result, request, context) : result;
    if ('data' in parsed) return parsed;
    failures.push(parsed);
    const waitMs = waitBeforeRetry(made, failures, request, maxRetries, timeLeftMs(limits));
    if (waitMs === undefined) throw toError(target.name, failures, attempts, idempotent);
    reportRetry(call, entry, waitMs);
    // An abort ends the wait, and then the next attempt before it sends anything.
    await sleep(waitMs, signal).catch(() => {});
  }
}

/** Returns an attempt as events and errors list it. */
function entryOf(made: AttemptResult, idleSince: number): Attempt {
  const { sentAt, endedAt, result } = made;
  const ofResponse = made.end === 'response' ? made.response.status : undefined;
  const { status = ofResponse, reason } = 'data' in result ? {} : result;
  const durationMs = Math.round(endedAt - sentAt);
  return { durationMs, waitMs: Math.round(sentAt - idleSince), status, reason };
}
