// Measures which functions of the sources `contacts.list()` runs on Node, by V8's precise coverage, and writes them to
// docs/ARCHITECTURE.md: `npm run path`. A test compares the document with what it measures.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmailMarketingClient } from '../../src/index.ts';
import { contactsText } from './contacts.ts';

/** A function of the sources that a call runs. */
interface ExecutedFunction {
  /** Path below the root of the repository. */
  readonly file: string;
  /** Name of the function; empty for one without. */
  readonly name: string;
}

const root = join(import.meta.dirname, '../..');
const document = join(root, 'docs/ARCHITECTURE.md');

/** Folders of the sources, as imports point down them. */
const layers = ['src/resources', 'src/operations', 'src/http', 'src/schemas'];

const layerOf = (file: string) => layers.findIndex(layer => file.startsWith(`${layer}/`));

/** Returns the functions of the sources that run in `task` when it runs again: what is made once is not counted. */
async function executedBy(task: () => Promise<unknown>): Promise<ExecutedFunction[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Counts from the first call on, as V8 counts only functions that it compiled since.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await task();
  await session.post('Profiler.takePreciseCoverage');
  await task();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll(sep, '/') : '';
    if (!file.startsWith('src/')) return [];
    return functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range && range.count > 0 ? [{ file, name }] : [],
    );
  });
}

/** Calls `contacts.list()` for a page of one contact. */
async function measure(): Promise<ExecutedFunction[]> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(contactsText(0, 1));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new EmailMarketingClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' });
  const executed = await executedBy(() => client.contacts.list());
  server.close();
  server.closeAllConnections();
  return executed.sort((one, other) => layerOf(one.file) - layerOf(other.file));
}

/** Names of V8 for what has none in the code. */
const shownNames: Readonly<Record<string, string>> = {
  '': '(arrow function)',
  '<instance_members_initializer>': '(fields of the class)',
};

function table(executed: readonly ExecutedFunction[]): string {
  const files = [...new Set(executed.map(({ file }) => file))];
  const rows = files.map(file => {
    const names = executed
      .filter(each => each.file === file)
      .map(({ name }) => shownNames[name] ?? `\`${name}\``);
    return `| \`${file}\` | ${names.join(', ')} |`;
  });
  return [
    `${executed.length} functions in ${files.length} files:`,
    '',
    '| file | functions, in the order of the file |',
    '|---|---|',
    ...rows,
  ].join('\n');
}

const measured = table(await measure());
const [start, end] = ['<!-- path of a call: written by `npm run path` -->\n', '\n<!-- end of the path -->'];
const text = readFileSync(document, 'utf8');
const [before = '', rest = ''] = text.split(start);
if (!rest.includes(end)) throw new Error(`docs/ARCHITECTURE.md lacks ${start}…${end}`);
const written = before + start + measured + rest.slice(rest.indexOf(end));
if (!process.argv.includes('--check')) writeFileSync(document, written);
console.log(measured);
if (process.argv.includes('--check') && written !== text)
  throw new Error('docs/ARCHITECTURE.md: run npm run path');
