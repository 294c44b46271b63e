import { Call, type CallSettings } from '../../../src/http/call.ts';
import { type CallOptions, callDefaults, mergeCallOptions } from '../../../src/http/call-options.ts';
import { RetryBudget } from '../../../src/http/retries.ts';

/** Makes a call of `tags.create` with these options. */
export function makeCall(
  options: CallOptions = {},
  settings: Partial<CallSettings> = {},
  url = 'https://api.example.com/api/v1/rest',
): Call {
  const target = { name: 'tags.create', method: 'POST', path: '/tag', kind: 'create' } as const;
  return new Call(target, new URL(url), {
    options: mergeCallOptions(callDefaults, options),
    hooks: [],
    retryBudget: new RetryBudget(),
    redact: text => text,
    maxResponseBytes: 1_000,
    ...settings,
  });
}

/** Makes a call whose first attempt has begun. */
export function begunCall(...input: Parameters<typeof makeCall>): Call {
  const call = makeCall(...input);
  call.begin();
  return call;
}
