// Kills the import command repeatedly, and counts the requests.
import { expect, test } from 'vitest';
import { until } from '../support/staged-programs.ts';
import { everyone, identify, sentRows, stageBuilt as stage } from './run-cli.ts';

/** Rows of the file: every second one increments a field, which must not happen twice. */
const rowCount = 200;

const email = (index: number): string => `p${index}@example.com`;
const isCounted = (index: number): boolean => index % 2 === 0;

/**
 * Imports a file, and kills the command with SIGKILL each time that this many requests were received since it started,
 * after a delay; then lets it end by itself.
 */
async function importWithKills(
  kills: readonly { readonly afterRequests: number; readonly delayMs: number }[],
) {
  await using staged = await stage();
  const { sandbox, start } = staged;
  const rows = Array.from({ length: rowCount }, (_, index) =>
    isCounted(index) ? `${email(index)},,++1` : `${email(index)},P${index},`,
  );
  staged.write('people.csv', `email,firstName,customFields.points\n${rows.join('\n')}\n`);
  const slow = sandbox.latency(identify, { ms: 8, when: ({ number }) => number % 3 > 0 });
  for (const { afterRequests, delayMs } of kills) {
    const before = sandbox.requests.count(identify);
    const { child, ended } = start('import', 'people.csv', ...everyone, '--concurrency', '8');
    await until(() => sandbox.requests.count(identify) >= before + afterRequests || child.exitCode !== null);
    await new Promise(resolve => setTimeout(resolve, delayMs));
    child.kill('SIGKILL');
    await ended;
  }
  slow.cancel();
  const { code, stdout } = await staged.run('import', 'people.csv', ...everyone, '--json');
  const report: Readonly<Record<string, number>> = JSON.parse(stdout);
  const unknown = report.unknownFile ? staged.read('people.csv.unknown.csv') : '';
  const counted = sentRows(staged)
    .filter(({ customFields }) => customFields !== undefined)
    .map(({ email }) => email as string);
  return {
    code,
    /** How often a request to increment each contact's field was sent. */
    timesSent: new Map(counted.map(address => [address, counted.filter(other => other === address).length])),
    /** Addresses in the file of unknown rows. */
    unknown: [...unknown.matchAll(/,(p\d+@example\.com),/g)].map(([, address = '']) => address),
    /** Values of the field that the other rows set, by address. */
    values: new Map(sandbox.state.contacts.all.map(contact => [contact.email, contact.firstName])),
    report,
  };
}

/** Returns what is wrong with an import that was killed: nothing if every row is accounted for. */
function problemsOf({
  code,
  timesSent,
  unknown,
  values,
  report,
}: Awaited<ReturnType<typeof importWithKills>>): string[] {
  const problems: string[] = [];
  for (let index = 0; index < rowCount; index += 1) {
    const address = email(index);
    const times = timesSent.get(address) ?? 0;
    if (isCounted(index) && times > 1) problems.push(`${address} was sent ${times} times`);
    if (isCounted(index) && times === 0 && !unknown.includes(address)) problems.push(`${address} was lost`);
    if (!isCounted(index) && values.get(address) !== `P${index}`)
      problems.push(`${address} was not imported`);
  }
  if (report.rows !== rowCount || report.pending !== 0)
    problems.push(`the report has ${JSON.stringify(report)}`);
  const { sent = 0, rejected = 0, unknown: unknownRows = 0 } = report;
  if (sent + rejected + unknownRows !== rowCount) problems.push('the report does not add up');
  if (report.unknown !== unknown.length)
    problems.push(`${report.unknown} unknown, ${unknown.length} in the file`);
  if (code !== (unknown.length > 0 ? 1 : 0)) problems.push(`exit code ${code}`);
  return problems;
}

/** A random moment for a kill: a number of requests after the start of the command, then a delay. */
const moment = () => ({ afterRequests: Math.floor(Math.random() * 12), delayMs: Math.random() * 5 });

test.concurrent.each([1, 2, 3, 4, 5])(
  'resumes after ten kills at random moments without sending a counting row twice (import %i)',
  { timeout: 120_000 },
  async () => {
    const kills = Array.from({ length: 10 }, moment);
    const killed = await importWithKills(kills);
    expect(problemsOf(killed), JSON.stringify(kills)).toEqual([]);
    expect(killed.timesSent.size).toBeGreaterThan(rowCount / 4);
  },
);
