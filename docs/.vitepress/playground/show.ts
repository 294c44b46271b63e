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

/** Lines of the function that the program becomes the body of, before its first line. */
const linesBeforeProgram = 2;

/** Shows what a program threw, with the line of the program. */
export function showError(error: unknown): string {
  if (!(error instanceof Error)) return show(error);
  const [, line, column] = /<anonymous>:(\d+):(\d+)/.exec(error.stack ?? '') ?? [];
  const message = `${error.name}: ${error.message}`;
  return line ? `Line ${Number(line) - linesBeforeProgram}, column ${column}: ${message}` : message;
}

/** Shows rows in columns, as `console.table` prints them. */
export function showTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return show(value);
  const rows = Object.entries(value).map(([index, row]): Readonly<Record<string, unknown>> => {
    return { '': index, ...(typeof row === 'object' && row !== null ? row : { value: row }) };
  });
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const cells = [columns, ...rows.map(row => columns.map(name => (name in row ? show(row[name]) : '')))];
  const widths = columns.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)));
  return cells
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const json = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';

/** Shows a request of the sandbox's request log, with its response. */
export function showRequest(recorded: RecordedRequest): ShownRequest {
  const { method, path, query, headers, body, response, status, appliedFaults } = recorded;
  const search = new URLSearchParams(query).toString();
  return {
    title: `${method} ${path}${search && `?${search}`}`,
    status: [status ?? 'no response', appliedFaults?.at(-1)?.kind].filter(Boolean).join(' · '),
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
