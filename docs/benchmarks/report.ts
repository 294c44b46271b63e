// Writes the results of the benchmarks as tables, for the terminal and for the documents.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { baseline, own, type Row } from './rows.ts';

/** A column: for each row that has it, the figure and its text. */
export interface Column {
  readonly title: string;
  readonly figures: ReadonlyMap<string, number>;
  readonly text: (figure: number) => string;
}

const cell = (column: Column, row: Row): string => {
  const figure = column.figures.get(row.name);
  return figure === undefined ? '–' : column.text(figure);
};

const label = (row: Row): string => (row.retries ? row.name : `${row.name} ¹`);

const cells = (rows: readonly Row[], columns: readonly Column[]): string[][] => [
  ['', ...columns.map(column => column.title)],
  ...rows
    .filter(({ name }) => columns.some(({ figures }) => figures.has(name)))
    .map(row => [label(row), ...columns.map(column => cell(column, row))]),
];

/** A table for the terminal. */
export function terminalTable(rows: readonly Row[], columns: readonly Column[]): string {
  const table = cells(rows, columns);
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map(line => line[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    at ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  return table.map(line => line.map(pad).join('  ')).join('\n');
}

function markdownTable(rows: readonly Row[], columns: readonly Column[]): string {
  const [head = [], ...body] = cells(rows, columns);
  const rule = head.map((_, at) => (at ? '---:' : '---'));
  return [head, rule, ...body].map(line => `| ${line.join(' | ')} |`).join('\n');
}

const version = (name: string): string => {
  const file = new URL(`./peers/node_modules/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
};

function conditions(rows: readonly Row[]): string {
  const names = rows.flatMap(row => row.packages ?? []).filter(name => name !== own);
  const packages = [...new Set(names)].map(version).join(', ');
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}`;
  const { node, undici, v8 } = process.versions;
  return `Measured on ${machine}, Node ${node} (undici ${undici}, V8 ${v8}), with\n${packages}.`;
}

/** What the document is made from. */
export interface Results {
  readonly rows: readonly Row[];
  readonly processor: readonly Column[];
  readonly wall: readonly Column[];
  readonly footprint: readonly Column[];
}

/** The whole of the page. */
export const markdown = ({ rows, processor, wall, footprint }: Results): string => `# Benchmarks

\`\`\`sh
npm run bench
\`\`\`

The command compares this client with others that can send to a server on the same machine. Run it in a clone. On Node, a call
costs about as much processor time as calling \`fetch\` by hand, with responses validated and retries on. Iterating over a
whole list costs up to half as much again.

![Processor time against ${baseline}](benchmarks.svg)

${conditions(rows)}

## Processor time

Per call, relative to ${baseline}. Under 1 is cheaper.

${markdownTable(rows, processor)}

¹ does not retry failed calls.

- **"The same, given a \`fetch\`"** is this client with the option \`fetch\`, or with a global \`fetch\` that a tool has replaced. Without
  it, the client sends through the dispatcher that Node's \`fetch\` uses, and saves what \`fetch\` adds: a \`Request\`, a \`Response\`,
  headers and streams.
- **The floor** is this dispatcher and \`JSON.parse\`, without statuses, encodings and time limits. No client that sends through
  Node's \`fetch\` costs less.
- **Pagination**: this client compares each page with the records that it has yielded, so that, within
  [its limits](pagination.md#guarantees-and-limits), none is missed or repeated while the list changes. The others do not. Two rows iterate in another way: one reads \`paginator.checkpoint\` after each record, and one
  collects the records with \`toArray()\`. Compare the latter with bare fetch into an array, because keeping 100 000 records takes
  time, too.

## Elapsed time

From the first call to the last response, relative to ${baseline}. The server shares the machine, so much of this is the server's
time.

${markdownTable(rows, wall)}

On Node 22.23 and newer 22.x, \`fetch\` and this client check each idle connection for a millisecond before they use it again. Clients
on \`node:http\`, such as stripe, do not. Node 24 and 26 check without a wait.

## Weight

First response: how much later than with bare \`fetch\` it arrives in a new process, the minimum of many runs. Size: the whole client,
bundled for Node, minified and compressed. Memory: peak growth of the process during the iteration.

${markdownTable(rows, footprint)}

## How it is measured

- The server and each row run in their own processes. Rows take turns, and each figure is the median of its rounds, so that a busy
  moment of the machine affects all rows alike.
- The time of a row is divided by the time of "${baseline}" in the same round.
- Every client makes its own small create, asks for its own listing of the same 100 contacts, iterates over them with its own
  pagination, and makes 16 calls at once. Each has its default settings, validation and retries included. Only octokit's throttle,
  which keeps to GitHub's limits, is off.
- \`npm run bench -- --write\` writes this page and its chart.
`;
