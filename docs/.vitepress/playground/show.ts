import type { RecordedRequest } from 'email-marketing-client/testing';
import type { ShownRequest } from './messages.ts';

/** Shows a value as `console.log` prints it: strings as they are, other values in the form of a literal. */
export const show = (value: unknown): string => (typeof value === 'string' ? value : literal(value));

function literal(value: unknown): string {
  if (value instanceof Error) return value.stack ?? String(value);
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(literal).join(', ')} ]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';

/** Shows a request of the sandbox's journal, with its response. */
export function showRequest(recorded: RecordedRequest): ShownRequest {
  const { method, path, query, headers, body, response, status, fault } = recorded;
  const search = new URLSearchParams(query).toString();
  return {
    title: `${method} ${path}${search && `?${search}`}`,
    status: [status ?? 'no response', fault].filter(Boolean).join(' · '),
    request: [json(headers), json(body)].filter(Boolean).join('\n\n'),
    response: response ? pretty(response.text) : '',
  };
}

function pretty(text: string): string {
  try {
    return json(JSON.parse(text));
  } catch {
    return text;
  }
}
