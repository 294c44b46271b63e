import { isObject } from '../http/json.ts';
import { callIdHeader, isCallId, isRetry, retryHeader } from '../protocol.ts';
import type { CalledOperation, ProxyCall } from './calls.ts';
import { inputIssues, takesInput } from './operations.ts';
import { isAllowedHost, isFromOwnPage } from './origin.ts';
import { readBody } from './read-body.ts';
import { invalidInput, refusal } from './refusal.ts';
import { isAllowed, type ProxySettings } from './settings.ts';

/** A call as a page asks for it. */
export interface RequestedCall {
  /** Call with an input that is valid. */
  readonly call: ProxyCall;
  /** Call id; absent where the page sends none. */
  readonly id: string | undefined;
  /** `true` if an earlier attempt ended with an unknown outcome. */
  readonly retry: boolean;
}

/** Reads the call that a request asks for. Throws a refusal where it is none that a page may make. */
export async function readCall(request: Request, settings: ProxySettings): Promise<RequestedCall> {
  checkRequest(request, settings);
  const id = request.headers.get(callIdHeader) ?? undefined;
  if (id !== undefined && !isCallId(id)) throw refusal(400, `The header ${callIdHeader} is no call id.`);
  const { operation, input } = parseCall(await readBody(request, settings));
  if (!isAllowed(settings, operation, input))
    throw refusal(403, 'The operation is not allowed here: see the option allow.');
  return {
    call: checkedCall(operation as CalledOperation, input),
    id,
    retry: request.headers.get(retryHeader) === isRetry,
  };
}

function checkRequest(request: Request, { allowedHosts, origins }: ProxySettings): void {
  if (!isAllowedHost(request, allowedHosts))
    throw refusal(403, 'This host is not allowed here: see the option allowedHosts.');
  if (request.method !== 'POST') throw refusal(405, 'The method must be POST.');
  if (!isFromOwnPage(request, origins))
    throw refusal(403, 'Pages of this origin are not allowed here: see the option origins.');
  // A form of a foreign page cannot send this type without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw refusal(415, 'The content type must be application/json.');
}

/** Accepts `operation` and `input` and nothing else, so that no page can set an option of the server's client. */
function parseCall(text: string): { operation: string; input: unknown } {
  const json = parse(text);
  const known = isObject(json) && Object.keys(json).every(key => key === 'operation' || key === 'input');
  if (!known || typeof json.operation !== 'string')
    throw refusal(400, 'The body must be a JSON object of operation and input alone.');
  return { operation: json.operation, input: json.input };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Drops the input of an operation that takes none. */
function checkedCall(operation: CalledOperation, input: unknown): ProxyCall {
  const issues = inputIssues(operation, input);
  if (issues.length > 0) throw invalidInput(operation, issues);
  return { operation, input: takesInput(operation) ? input : undefined } as ProxyCall;
}
