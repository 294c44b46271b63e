import type { CallResult } from '../call/api-promise.ts';
import {
  endAttempt,
  failCall,
  releaseAll,
  retryOrThrow,
  setOptions,
  startCall,
  takePermit,
} from '../call/call.ts';
import { reportSuccess } from '../call/call-events.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { CallRequest } from '../call/call-state.ts';
import { functionFailure, toError, unusableResponseFailure } from '../call/failure.ts';
import { isIdempotent } from '../call/retries.ts';
import { invalidRequestError } from '../core/issues.ts';
import type { Outcome } from '../error-details.ts';
import type { ResponseResult } from '../schemas/operation-schemas.ts';
import type { EncodedRequest, Endpoint } from './endpoint.ts';
import { readResult } from './read-response.ts';
import { reportDrift } from './report-drift.ts';
import { send } from './send.ts';
import type { ServiceCall, ServiceSettings } from './service-settings.ts';

/**
 * Calls an endpoint of the service: encodes the input, sends it until a response contains data, and parses the data.
 * A failed attempt is a value, from which `retryOrThrow` makes the error of the call, unless it is retried. `setOptions`,
 * `encode`, `takePermit` and `parse` throw that error directly.
 */
export async function callService<Output>(
  endpoint: Endpoint<never, Output>,
  input: unknown,
  options: CallOptions | undefined,
  settings: ServiceSettings,
): Promise<CallResult<Output>> {
  const call = startCall(endpoint, settings[endpoint.api].url, settings);
  try {
    setOptions(call, options);
    call.request = encode(call, input);
    for (;;) {
      await takePermit(call);
      const sent = await send(call);
      const answer = readResult(call, sent);
      endAttempt(call, sent, answer);
      if ('data' in answer) {
        const result = await parse(call, answer);
        reportSuccess(call);
        return result;
      }
      await retryOrThrow(call, sent);
    }
  } catch (error) {
    failCall(call, error);
    throw error;
  } finally {
    releaseAll(call);
  }
}

/** Validates the input, and encodes it in the path, query or body. Throws an `InvalidRequestError` if it is invalid. */
function encode({ endpoint, settings }: ServiceCall, input: unknown): CallRequest {
  const checked = endpoint.input?.validateInput(input);
  const inputName = endpoint.inputIn === 'id' ? 'id' : 'input';
  if (checked?.ok === false)
    throw invalidRequestError(endpoint.name, checked.issues, settings.redact, inputName);
  const valid = checked?.value;
  return {
    ...(endpoint.custom?.() ?? encodeInput(endpoint, valid, settings.contactSearch)),
    input: valid,
    idempotent: isIdempotent(endpoint, valid),
    renewsKey: typeof settings[endpoint.api].key === 'function',
  };
}

function encodeInput(
  { name: operation, path, inputIn, query = [] }: Omit<Endpoint, 'input' | 'output'>,
  input: unknown,
  contactSearch: string,
): EncodedRequest {
  const fields = Object.entries(input ?? {});
  const isInQuery = ([field]: [string, unknown]) => inputIn === 'query' || query.includes(field);
  const search = new URLSearchParams();
  for (const [field, value] of fields.filter(isInQuery)) {
    // The service does not document the name of this parameter.
    const parameter = operation === 'contacts.list' && field === 'search' ? contactSearch : field;
    if (value !== undefined) search.append(parameter, String(value));
  }
  // The input may be an array, so it is sent unchanged unless a field belongs in the query.
  const body = query.length > 0 ? Object.fromEntries(fields.filter(field => !isInQuery(field))) : input;
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: search.toString(),
    body: inputIn === 'body' ? JSON.stringify(body) : undefined,
  };
}

/** Parses the JSON of a response and reports drift. Throws the error of the call if the data cannot be used. */
async function parse<Output>(
  call: ServiceCall<Output>,
  result: CallResult<unknown>,
): Promise<CallResult<Output>> {
  const { endpoint, settings, request } = call;
  const { data: json } = result;
  // The service sends only objects and arrays. Other JSON comes from a login page, captive portal or wrong address.
  const outcome: Outcome = typeof json === 'object' && json !== null ? 'done' : 'unknown';
  let parsed: ResponseResult<Output>;
  try {
    parsed = await endpoint.output.parseResponse(json, settings.validation, request.input);
  } catch (error) {
    throw toError(call, functionFailure(call, outcome, 'the schema threw an error (see cause)', error));
  }
  const advice = endpoint.custom && outcome === 'done' ? 'Check the schema and the response.' : undefined;
  if (!parsed.ok) throw toError(call, unusableResponseFailure(call, outcome, parsed.issues, advice));
  reportDrift(call, parsed.drift);
  return { ...result, data: parsed.value };
}
