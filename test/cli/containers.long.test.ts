import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { Ended } from '../support/staged-programs.ts';
import { cli, endedWith, everyone, identify, stageBuilt as stage } from './run-cli.ts';

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Runs a program as the first process of a new namespace of process ids, under the host's name, as containers can. */
const container = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const hasContainers = spawnSync('unshare', [...container, 'true']).status === 0;

type Staged = Awaited<ReturnType<typeof stage>>;

function startInContainer({ env, path }: Staged, ...args: string[]) {
  const command = [...container, process.execPath, cli, ...args];
  const child = spawn('unshare', command, { cwd: path('.'), env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', text => {
    stderr += text;
  });
  const ended = new Promise<Ended>(resolve => {
    child.on('close', code => resolve({ code, stdout: '', stderr }));
  });
  return { child, ended };
}

const rows = Array.from({ length: 40 }, (_, index) => `p${index}@example.com,++1\n`);
const command = ['import', 'people.csv', ...everyone, '--concurrency', '2'];
const isLocked = endedWith(2, /is using this file; if that process no longer exists, delete/);

test.runIf(hasContainers).each([
  ['in a container and on the machine', true, false],
  ['on the machine and in a container', false, true],
  ['in two containers', true, true],
])('of two imports %s, the second is refused', async (_, first, second) => {
  await using staged = await stage();
  staged.write('people.csv', `email,customFields.n\n${rows.join('')}`);
  const held = staged.sandbox.hold(identify, { after: 2 });
  const run = (isContained: boolean) =>
    isContained ? startInContainer(staged, ...command).ended : staged.run(...command);
  const running = run(first);
  await held.arrived;
  expect(await run(second)).toMatchObject(isLocked);
  held.release();
  expect(await running).toMatchObject({ code: 0 });
  expect(staged.sandbox.requests.count(identify)).toBe(rows.length);
});

test.runIf(hasContainers)(
  'an import in a container that was killed is never judged from outside',
  async () => {
    await using staged = await stage();
    staged.write('people.csv', `email,customFields.n\n${rows.join('')}`);
    const held = staged.sandbox.hold(identify, { after: 2 });
    const { child, ended } = startInContainer(staged, ...command);
    await held.arrived;
    child.kill('SIGKILL');
    await ended;
    held.release();
    expect(existsSync(staged.path('people.csv.lock'))).toBe(true);
    expect(await staged.run(...command)).toMatchObject(isLocked);
  },
);
