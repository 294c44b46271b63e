// Sends requests to a sandbox without the client, for the tests of this folder.
import type { Sandbox } from '../../src/testing/index.ts';

/** Response, read as text and parsed. */
type Answered = Awaited<ReturnType<typeof send>>;

/** Returns the status and the whole body, to compare with `toEqual`. */
export const outcome = ({ status, body }: Pick<Answered, 'status' | 'body'>) => [status, body];

/** Returns one field of a record in a body, or of each record. */
export const fieldsOf = ({ body }: Pick<Answered, 'body'>, name: string): readonly unknown[] =>
  [body].flat().map(record => (record as Readonly<Record<string, unknown>>)[name]);

/** Sends a request to the REST interface with the sandbox's key. */
export function rest(sandbox: Sandbox, request: string, body?: unknown): Promise<Answered> {
  const [method = '', path = ''] = request.split(' ');
  return send(sandbox, method, `/api/v1/rest${path}`, { 'X-Team-ApiKey': sandbox.apiKey }, body);
}

/** Sends a request to the legacy interface with the sandbox's key and team id. */
export function legacy(sandbox: Sandbox, request: string, body?: unknown): Promise<Answered> {
  const [method = '', path = ''] = request.split(' ');
  const query = `${path.includes('?') ? '&' : '?'}team_id=${sandbox.teamId}`;
  return send(sandbox, method, `/api/v1${path}${query}`, { api_key: sandbox.legacyApiKey }, body);
}

/** Sends any request. A string is sent as text, anything else as JSON. */
export async function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  headers: Record<string, string>,
  json?: unknown,
) {
  const body = typeof json === 'string' ? json : (JSON.stringify(json) ?? null);
  const response = await sandbox.fetch(`https://sandbox.test${path}`, { method, headers, body });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as unknown, text, headers: response.headers };
}
