// Compares this client with its peers: `npm run bench`, or `npm run bench -- --quick` for a look in two minutes.
// `--write` puts the page and its chart into docs/, of a whole run alone; `--only a,b` keeps to columns whose titles hold one of
// the words, and `--rows a,b` to rows so named (and bare fetch). The script installs the newest Node and builds what
// is stale; `npx node docs/benchmarks/run.ts` takes the Node of the tests and the build as it is.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compressedSize, firstResponses, installed, installPeers } from './footprint.ts';
import { each, interleave, ratio, type Server, startServer, startWorker, type Worker } from './measure.ts';
import { plot } from './plot.ts';
import { type Column, markdown, terminalTable } from './report.ts';
import { rows as allRows, baseline } from './rows.ts';
import type { Task } from './worker.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    rows: { type: 'string' },
  },
});
if (values.write && (values.quick || values.only || values.rows))
  throw new Error('The page and its chart show a whole run: use --write alone.');
const size = <T>(full: T, quick: T): T => (values.quick ? quick : full);
const named = (title: string, words: string | undefined): boolean =>
  !words || words.split(',').some(word => title.includes(word));
const wanted = (title: string): boolean => named(title, values.only);
const rows = allRows.filter(({ name }) => name === baseline || named(name, values.rows));

/** Starts the sections of the page that are written by hand and kept. */
const handwritten = '\n<!-- written by hand from here on -->\n';

/** A number with its thousands apart. */
const grouped = (count: number): string => count.toLocaleString('en').replaceAll(',', ' ');

interface Timing {
  readonly title: string;
  readonly task: Task;
  readonly rounds: number;
}

const paginated = size(100_000, 10_000);
const imported = size(10_000, 2_000);
const timings: readonly Timing[] = [
  { title: 'small POST', task: { job: 'post', count: size(1_000, 200), concurrency: 1 }, rounds: size(7, 5) },
  {
    title: 'POST, 16 at once',
    task: { job: 'post', count: size(3_000, 500), concurrency: 16 },
    rounds: size(7, 5),
  },
  { title: 'page of 100', task: { job: 'page', count: size(600, 100), concurrency: 1 }, rounds: size(7, 5) },
  {
    title: `pagination of ${grouped(paginated)}`,
    task: { job: 'pagination', count: paginated, concurrency: 1 },
    rounds: size(6, 2),
  },
  {
    title: `bulk of ${grouped(imported)}`,
    task: { job: 'bulk', count: imported, concurrency: 16 },
    rounds: size(4, 2),
  },
];

const can = ({ can, row }: Worker, { job }: Task): boolean =>
  row.only ? row.only === job : job === 'page' || job === 'pagination' ? can[job] : true;

async function time(timing: Timing, workers: readonly Worker[], server: Server): Promise<[Column, Column]> {
  const { title, task, rounds } = timing;
  const able = workers.filter(worker => can(worker, task));
  await server.hold(task.job === 'pagination' ? task.count : 1_000_000);
  const costs = await interleave(able, task, rounds);
  const against = costs.get(baseline) ?? [];
  const unit = task.job === 'pagination' ? task.count / 100 : task.count;
  const column = (of: 'cpu' | 'wall'): Column => {
    const micros = each(against, unit, of).toFixed(0);
    return {
      title: `${title} (1 = ${micros} µs)`,
      figures: new Map([...costs].map(([name, cost]) => [name, ratio(cost, against, of)])),
      text: figure => figure.toFixed(2),
    };
  };
  return [column('cpu'), column('wall')];
}

async function memory(server: Server): Promise<Column> {
  const count = size(1_000_000, 100_000);
  const figures = new Map<string, number>();
  for (const row of rows.filter(({ only }) => !only)) {
    await server.hold(1_000);
    const worker = await startWorker(row, server.url);
    if (worker.can.pagination) {
      await worker.run({ job: 'pagination', count: 1_000, concurrency: 1 });
      await server.hold(count);
      figures.set(row.name, (await worker.run({ job: 'pagination', count, concurrency: 1 })).memory);
    }
    worker.close();
  }
  return { title: `memory of ${grouped(count)}, MB`, figures, text: figure => figure.toFixed(0) };
}

async function weight(server: Server): Promise<Column[]> {
  const columns: Column[] = [];
  if (wanted('first response')) {
    const figures = firstResponses(
      rows.filter(({ only }) => !only),
      server.url,
      size(25, 8),
    );
    columns.push({ title: 'first response, ms later', figures, text: figure => figure.toFixed(0) });
  }
  if (wanted('size')) {
    const sizes = new Map<string, number>();
    for (const { name, code } of rows) if (code) sizes.set(name, await compressedSize(code));
    const install = rows.flatMap(({ name, packages }) =>
      packages ? [[name, installed(packages)] as const] : [],
    );
    const part = (of: 'packages' | 'megabytes') => new Map(install.map(([name, found]) => [name, found[of]]));
    columns.push(
      { title: 'size, kB', figures: sizes, text: figure => figure.toFixed(1) },
      { title: 'packages', figures: part('packages'), text: String },
      { title: 'installed, MB', figures: part('megabytes'), text: figure => figure.toFixed(1) },
    );
  }
  if (wanted('memory')) columns.push(await memory(server));
  return columns;
}

installPeers();
const server = await startServer();
const workers = await Promise.all(rows.map(row => startWorker(row, server.url)));
const processor: Column[] = [];
const wall: Column[] = [];
for (const timing of timings.filter(({ title }) => wanted(title))) {
  const [cpu, elapsed] = await time(timing, workers, server);
  console.log(
    `\n${terminalTable(rows, [cpu, { ...elapsed, title: `elapsed (${elapsed.title.split(' (')[1]}` }])}`,
  );
  processor.push(cpu);
  wall.push(elapsed);
}
for (const worker of workers) worker.close();
const footprint = await weight(server);
server.close();

console.log(`\nProcessor time against ${baseline}\n\n${terminalTable(rows, processor)}`);
console.log(`\nWeight\n\n${terminalTable(rows, footprint)}`);
if (values.write) {
  const results = { rows, processor, wall, footprint };
  const page = join(import.meta.dirname, '../benchmarks');
  const [, byHand = ''] = readFileSync(`${page}.md`, 'utf8').split(handwritten);
  writeFileSync(`${page}.md`, markdown(results) + handwritten + byHand);
  writeFileSync(`${page}.svg`, plot(results));
}
