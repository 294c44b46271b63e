// How many rows per second the commands `import` and `export` manage, and in how much memory:
// `npm run bench -- commands`, or `npm run bench -- commands 20000` for so many rows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startServer } from './measure.ts';

const rows = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(tmpdir(), 'bench-commands-'));
const server = await startServer();
await server.hold(rows);

/** Writes a file of rows, of which some count up and are therefore on the disk before they are sent. */
async function writeRows(name: string, counting: (index: number) => boolean): Promise<string> {
  const path = join(folder, name);
  function* lines() {
    yield 'email,firstName,lastName,customFields.points\n';
    for (let index = 0; index < rows; index += 1)
      yield `p${index}@example.com,Ada,Lovelace,${counting(index) ? '++1' : '1'}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

/** Runs a program in a process of its own, and prints what it took. */
async function measure(title: string, program: string, ...args: string[]): Promise<void> {
  const usageFile = join(folder, 'usage.json');
  const environment = {
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: 'key',
    EMAIL_MARKETING_TEAM_ID: 'team',
  };
  const hook = join(import.meta.dirname, 'report-usage.ts');
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', hook, join(import.meta.dirname, program), ...args], {
    env: { ...process.env, ...environment, USAGE_FILE: usageFile },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  assert.equal((await once(child, 'exit'))[0], 0, title);
  const seconds = (performance.now() - startedAt) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usageFile, 'utf8'));
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const perSecond = (time: number) => Math.round(rows / time);
  console.log(
    `${title}: ${perSecond(seconds)} rows/s in ${seconds.toFixed(1)} s, ${perSecond(cpuSeconds)} rows/s of processor time, ` +
      `${Math.round(maxRSS / 1024)} MB at most`,
  );
}

const cli = '../../dist/cli.js';
const permitted = ['--mailable', 'everyone', '--yes', '--concurrency', '16'];

try {
  const plain = await writeRows('plain.csv', () => false);
  const counting = await writeRows('counting.csv', () => true);
  await measure(`a loop by hand over ${rows} rows, 16 in flight`, 'import-loop.ts', plain, '16');
  await measure(`import of ${rows} rows, 16 in flight`, cli, 'import', plain, ...permitted);
  await measure(`import of ${rows} rows that must not be sent twice`, cli, 'import', counting, ...permitted);
  await measure(`export of ${rows} contacts`, cli, 'export', '--out', join(folder, 'out.csv'));
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}
