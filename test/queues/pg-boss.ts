/**
 * Runs the queue of examples/pg-boss.ts while the service fails in one way after another, and one of its processes is killed:
 * `npm run test:all -- pg-boss`. Every job that could succeed does, and no event is recorded twice.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../examples/pg-boss.ts';
import { stageFolder } from '../support/staged-programs.ts';
import { troubles } from './troubles.ts';

const people = Array.from({ length: 100 }, (_, number) => `p${number}@example.com`);
const program = join(import.meta.dirname, 'pg-boss-process.ts');

/** The jobs of a person, in order. */
const jobsOf = (email: string): readonly Job[] => [
  { operation: 'legacy.identify', input: { email } },
  { operation: 'legacy.track', input: { email, addTags: ['customer'] } },
  { operation: 'events.record', input: { name: 'order placed', identifier: email } },
];

const staged = await stageFolder({ maxLoggedRequests: 1_000_000 });
const { sandbox, folder } = staged;
staged.write('jobs.json', JSON.stringify(people.flatMap(jobsOf)));

function start(...args: readonly string[]) {
  const options = ['--conditions=repository', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...options, program, join(folder, 'database'), ...args], {
    env: { ...process.env, ...staged.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child;
}

const first = start(join(folder, 'jobs.json'));
// The first trouble begins once some calls have succeeded.
while (sandbox.requests.length < 10) await setTimeout(20);
let running = first;
// Two seconds each.
for (const [at, [, trouble]] of troubles.entries()) {
  const fault = sandbox.fail('*', trouble);
  await setTimeout(2000);
  fault.cancel();
  if (at === 2) {
    first.kill('SIGKILL');
    running = start();
  }
  const lost = sandbox.drop('*', { acted: true, times: 2 });
  await setTimeout(1000);
  lost.cancel();
}
const [output] = await Promise.all([running.stdout.toArray(), once(running, 'close')]);
const reviewed: readonly { job: Job; action: string; error: string }[] = JSON.parse(output.join(''));

const isReviewed = (email: string, operation: string) =>
  reviewed.some(({ job }) => job.operation === operation && JSON.stringify(job.input).includes(`"${email}"`));
const events = new Map<string, number>();
for (const { body, appliedFaults = [] } of sandbox.requests.to('POST /events/custom')) {
  const hasActed = appliedFaults.every(({ acted }) => acted);
  const { identifier } = Object(body);
  if (hasActed) events.set(identifier, (events.get(identifier) ?? 0) + 1);
}
for (const email of people) {
  const contact = sandbox.state.contacts.all.find(each => each.email === email);
  assert.deepEqual(contact?.tagNames, ['customer'], `${email} has signed up and has the tag`);
  const recorded = events.get(email) ?? 0;
  assert.ok(
    recorded === 1 || (recorded === 0 && isReviewed(email, 'events.record')),
    `${email}: ${recorded} events`,
  );
}
assert.deepEqual(
  reviewed.filter(({ job, action }) => action === 'drop' || job.operation !== 'events.record'),
  [],
  'no job is given up, and only events are for a person',
);
console.log(`${people.length} people have signed up; ${reviewed.length} events are for a person`);
await staged[Symbol.asyncDispose]();
