import { timedOut, within } from '../core/cancel.ts';
import { isObject } from '../core/json.ts';
import { readText } from '../core/read-text.ts';
import type { OperationName } from '../resources/operations.ts';
import type { ProxySettings } from './options.ts';
import { isFromOwnPage } from './origin.ts';
import { refusal } from './refusal.ts';

/** A call as a page asks for it, its input not yet checked. */
export interface AskedCall {
  readonly operation: OperationName;
  readonly input: unknown;
}

/** Reads which call a request asks for; throws a refusal where it is none that a page may make. */
export async function readCall(request: Request, settings: ProxySettings): Promise<AskedCall> {
  if (request.method !== 'POST') throw refusal(405, 'Only POST is answered here.');
  if (!isFromOwnPage(request, settings.origins))
    throw refusal(403, 'Pages of this origin may not call here: see the option origins.');
  // A form of a foreign page cannot send this type without asking first.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw refusal(415, 'The content type must be application/json.');
  const call = parseCall(await readBody(request, settings));
  if (!settings.allow.has(call.operation))
    throw refusal(403, 'The operation is not among those allowed here: see the option allow.');
  return call as AskedCall;
}

async function readBody(request: Request, { maxBodyBytes, bodyTimeout }: ProxySettings): Promise<string> {
  const tooLarge = () => refusal(413, `The body is larger than ${maxBodyBytes} bytes.`);
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge();
  const { body } = request;
  if (!body) return '';
  const text = await within(bodyTimeout, undefined, () => readText(body, maxBodyBytes)).catch(error => {
    throw error === timedOut
      ? refusal(408, `The body did not come within ${bodyTimeout} ms.`)
      : refusal(400, 'The body did not come whole.');
  });
  if (text === undefined) throw tooLarge();
  return text;
}

/** Takes `operation` and `input` and nothing else, so that no page can set what is the server's. */
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
