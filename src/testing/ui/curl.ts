import type { RequestDetail } from '../server/protocol.ts';

/** The parts of a request that a curl command repeats. */
export type Repeated = Pick<RequestDetail, 'method' | 'path' | 'query' | 'headers' | 'bodyText'>;

/** Headers to omit: curl sets them itself, or they only concern the original request. */
const transportHeaders =
  /^(?:host|connection|content-length|accept-encoding|user-agent|accept-language|sec-fetch-mode|transfer-encoding)$/;
const keyVariables: Readonly<Record<string, string>> = {
  'x-team-apikey': '$EMAIL_MARKETING_API_KEY',
  api_key: '$EMAIL_MARKETING_API_KEY',
};

/** Returns a curl command that repeats a request, with the keys from the environment. */
export function curlOf({ method, path, query, headers, bodyText }: Repeated, origin: string): string {
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
    else if (!transportHeaders.test(name) && value !== '[redacted]')
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
