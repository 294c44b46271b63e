import { styleText } from 'node:util';
import type { RecordedRequest } from '../testing/index.ts';

/** Where log lines go: a terminal, a file, or a pipe. */
export type LogStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Returns a function that writes a line for each request, in colour on a terminal. */
export function requestLog(stream: LogStream): (request: RecordedRequest) => void {
  const inColour = stream.isTTY === true && !process.env.NO_COLOR;
  const paint: Paint = (format, text) =>
    inColour ? styleText(format, text, { validateStream: false }) : text;
  return request => {
    stream.write(`${logLine(request, paint)}\n`);
  };
}

type Paint = (format: 'green' | 'yellow' | 'red' | 'dim', text: string) => string;

function logLine(request: RecordedRequest, paint: Paint): string {
  const { time, method, path, query, status, fault, refusal } = request;
  const shown = Object.entries(query).filter(([name]) => name !== 'team_id');
  const parts = [
    paint('dim', time.slice(11, 23)),
    paint(colourOf(status), status === undefined ? '---' : String(status)),
    method.padEnd(6),
    path,
    shown.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' '),
    fault === undefined ? '' : paint('yellow', `(${fault})`),
    refusal === undefined ? '' : paint('dim', `- ${refusal.reason} (${refusal.section})`),
  ];
  return parts.filter(part => part !== '').join(' ');
}

function colourOf(status: number | undefined): 'green' | 'yellow' | 'red' {
  if (status === undefined || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
