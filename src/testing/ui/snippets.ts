import type { RequestDetail } from '../server/protocol.ts';

/** The parts of a request that snippets use. */
export type Snippet = Pick<
  RequestDetail,
  'method' | 'path' | 'query' | 'headers' | 'body' | 'bodyText' | 'operation' | 'endpoint'
>;

/** Headers to omit: curl sets them itself, or they only concern the original request. */
const transportHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'accept-language',
  'sec-fetch-mode',
  'transfer-encoding',
]);
const keyVariables: Readonly<Record<string, string>> = {
  'x-team-apikey': '$EMAIL_MARKETING_API_KEY',
  api_key: '$EMAIL_MARKETING_API_KEY',
};

/** Returns a curl command that repeats a request, with the keys from the environment. */
export function curlOf({ method, path, query, headers, bodyText }: Snippet, origin: string): string {
  const shownQuery = Object.entries(query).map(([name, value]) =>
    name === 'team_id'
      ? `team_id='"$EMAIL_MARKETING_TEAM_ID"'`
      : insideQuotes(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  const search = shownQuery.length === 0 ? '' : `?${shownQuery.join('&')}`;
  // Without -g, curl reads brackets and braces in the URL as patterns.
  const lines = [`curl -g -X ${quote(method)} '${insideQuotes(origin + path)}${search}'`];
  for (const [name, value] of Object.entries(headers)) {
    const variable = keyVariables[name];
    if (variable !== undefined) lines.push(`-H "${name}: ${variable}"`);
    else if (!transportHeaders.has(name) && value !== '[redacted]')
      lines.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (bodyText !== '') lines.push(`--data-raw ${quote(bodyText)}`);
  return lines.join(' \\\n  ');
}

/** Characters that an interactive shell treats as key presses when pasted, even in quotes. */
const controlCharacters = /\p{Cc}/u;

/** Quotes a text for a shell. Single quotes disable `!`, `$` and backquotes. */
export function quote(text: string): string {
  if (/^[A-Z]+$/.test(text)) return text;
  return controlCharacters.test(text) ? ansiQuoted(text) : `'${insideQuotes(text)}'`;
}

function insideQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

/** Quotes a text as `$'…'` for bash, zsh and ksh; escapes are bytes in octal, independent of the locale. */
function ansiQuoted(text: string): string {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  const escaped = text.replaceAll(/[\\'!\p{Cc}]/gu, character =>
    Array.from(new TextEncoder().encode(character), octal).join(''),
  );
  return `$'${escaped}'`;
}

/** Returns client code that makes the same request. */
export function clientCodeOf(request: Snippet): string {
  const { operation } = request;
  return operation === undefined ? generalCall(request) : `await client.${operation}(${inputOf(request)});`;
}

/** Returns the input of an operation: the id in the path, or query and body. */
function inputOf({ endpoint, path, query, body }: Snippet): string {
  if (endpoint?.includes('{identifier}')) return literal(decodeURIComponent(path.split('/').at(-1) ?? ''));
  const { team_id: _, ...shown } = query;
  const input = { ...withNumbers(shown), ...asObject(body) };
  return Object.keys(input).length === 0 ? '' : literal(input);
}

function generalCall({ method, path, query, body }: Snippet): string {
  const rest = path.includes('/api/v1/rest/');
  const [, relative = path] = path.split(rest ? '/api/v1/rest' : '/api/v1');
  const { team_id: _, ...shown } = query;
  const options = {
    api: rest ? 'rest' : 'legacy',
    method,
    path: relative,
    ...(Object.keys(shown).length === 0 ? {} : { query: shown }),
    ...(body === undefined ? {} : { body }),
  };
  return `await client.request(${literal(options)});`;
}

function withNumbers(query: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      (name === 'offset' || name === 'limit') && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ]),
  );
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Maximum length of a literal on one line, in characters. */
const lineLength = 80;

/** Returns a value as a TypeScript literal. */
function literal(value: unknown): string {
  const oneLine = write(value, '');
  return oneLine.length <= lineLength ? oneLine : write(value, '\n');
}

function write(value: unknown, lineBreak: string): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = lineBreak === '' ? '' : `${lineBreak}  `;
  const separator = lineBreak === '' ? ', ' : `,${deeper}`;
  if (Array.isArray(value)) return `[${value.map(item => write(item, '')).join(', ')}]`;
  const members = Object.entries(value).map(([name, item]) => `${key(name)}: ${write(item, deeper)}`);
  if (members.length === 0) return '{}';
  return lineBreak === ''
    ? `{ ${members.join(separator)} }`
    : `{${deeper}${members.join(separator)},${lineBreak}}`;
}

function text(value: string): string {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

function key(name: string): string {
  // Without brackets, it would set the object's prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}
