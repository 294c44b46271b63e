import { Call, type CallSettings } from '../../../src/http/call.ts';
import { type CallOptions, callDefaults, mergeCallOptions } from '../../../src/http/call-options.ts';

/** Makes a call of `tags.create` with these options, whose first attempt has begun. */
export function begunCall(
  options: CallOptions = {},
  settings: Partial<CallSettings> = {},
  url = 'https://api.example.com/api/v1/rest',
): Call {
  const target = { name: 'tags.create', method: 'POST', path: '/tag', kind: 'create' } as const;
  const call = new Call(target, new URL(url), {
    options: mergeCallOptions(callDefaults, options),
    hooks: [],
    redact: text => text,
    maxResponseBytes: 1_000,
    ...settings,
  });
  call.begin();
  return call;
}
