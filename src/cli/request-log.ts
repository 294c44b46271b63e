import type { RecordedRequest } from '../testing/index.ts';
import { stylesFor } from './color.ts';

/** Returns a function that writes a line for each request, in colour on a terminal. */
export function requestLog(stream: NodeJS.WriteStream): (request: RecordedRequest) => void {
  const paint = stylesFor(stream);
  return request => {
    stream.write(`${logLine(request, paint)}\n`);
  };
}

type Paint = ReturnType<typeof stylesFor>;

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
