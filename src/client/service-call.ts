import type { ApiPromise, CallResult } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ParsedResult } from '../call/call-steps.ts';
import { reportDrift } from '../call/drift.ts';
import { type FailureContext, functionFailed, unusableResponse } from '../call/failure.ts';
import { perform } from '../call/perform.ts';
import { type CallRequest, isIdempotent } from '../call/retries.ts';
import { invalidRequest } from '../core/issues.ts';
import type { Outcome } from '../error-details.ts';
import type { EncodedRequest, Endpoint } from './endpoint.ts';
import { readAttempt } from './read-response.ts';
import { type ServiceRequest, send } from './send.ts';
import type { ServiceSettings } from './service-settings.ts';

/** Calls an endpoint of the service. */
export function callService<Output>(
  endpoint: Endpoint<never, Output>,
  input: unknown,
  options: CallOptions | undefined,
  settings: ServiceSettings,
): ApiPromise<Output> {
  const service = settings[endpoint.api];
  return perform(
    {
      target: endpoint,
      url: service.url,
      encode: () => encode(endpoint, input, settings),
      attempt: async (request, context) => {
        const end = await send(request, service, settings, context);
        return { ...end, result: readAttempt(endpoint, end, context, settings.redactor) };
      },
      parse: (received, request, context) => parse(endpoint, request.input, received, context, settings),
    },
    settings,
    options,
  );
}

/** A call as HTTP carries it, and its input as it was checked. */
interface Encoded extends ServiceRequest, CallRequest {
  readonly input: unknown;
}

/** Checks an input, and puts it into the path, the query or the body. Throws the error of one that is not valid. */
function encode(operation: Endpoint, input: unknown, settings: ServiceSettings): Encoded {
  const checked = operation.input?.validateInput(input);
  const whole = operation.inputIn === 'id' ? 'id' : 'input';
  if (checked?.ok === false) throw invalidRequest(operation.name, checked.issues, settings.redact, whole);
  const valid = checked?.value;
  return {
    ...(operation.request ?? encodeInput(operation, valid, settings.contactSearch)),
    method: operation.method,
    input: valid,
    idempotent: isIdempotent(operation, valid),
    renewsKey: typeof settings[operation.api].key === 'function',
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
    const parameter = operation === 'contacts.list' && field === 'search' ? contactSearch : field;
    if (value !== undefined) search.append(parameter, String(value));
  }
  // An input can also be a list.
  const body = query.length > 0 ? Object.fromEntries(fields.filter(field => !isInQuery(field))) : input;
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: search.toString(),
    body: inputIn === 'body' ? JSON.stringify(body) : undefined,
  };
}

/** Parses the JSON of a response, and reports how it differs from what is documented. */
async function parse<Output>(
  { name, output, request }: Pick<Endpoint<never, Output>, 'name' | 'output' | 'request'>,
  input: unknown,
  received: CallResult<unknown>,
  context: FailureContext,
  { validation, onDrift, reportedDrift, redact }: ServiceSettings,
): Promise<ParsedResult<Output>> {
  const { data: json } = received;
  // A login page, a captive portal or a wrong address sends nothing, a text or a number: that is not the service.
  const outcome: Outcome = typeof json === 'object' && json !== null ? 'done' : 'unknown';
  try {
    const parsed = await output.parseResponse(json, validation, input);
    const advice =
      request && outcome === 'done' ? 'Check the schema, and what the service sends.' : undefined;
    if (!parsed.ok) return unusableResponse(context, outcome, parsed.issues, advice);
    if (parsed.drift.length > 0) reportDrift(onDrift, reportedDrift, name, parsed.drift, redact);
    return { ...received, data: parsed.value };
  } catch (error) {
    return functionFailed(context, outcome, 'the schema failed (see cause)', error);
  }
}
