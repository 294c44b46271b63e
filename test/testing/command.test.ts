import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the built command; `text()` is what it has printed so far. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args]);
  running.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      printed += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => code as number);
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(printed);
      if (found !== null) return found;
      await once(child.stdout, 'data');
    }
  };
  return { child, ended, until, text: () => printed };
}

test('prints the variables to export, serves, logs requests, and stops when told to', async () => {
  const { child, ended, until } = start(
    'sandbox',
    '--port',
    '0',
    '--contacts',
    '30',
    '--set',
    'contactPageCap=30',
  );
  const [, url] = await until(/^export EMAIL_MARKETING_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)$/m);
  const [, key = ''] = await until(/^export EMAIL_MARKETING_API_KEY=(\S+)$/m);
  await until(/^export EMAIL_MARKETING_TEAM_ID=(\S+)$/m);
  const call = (limit: number) =>
    fetch(`${url}/api/v1/rest/contact?limit=${limit}`, { headers: { 'X-Team-ApiKey': key } });
  expect(await (await call(30)).json()).toHaveLength(30);
  expect((await call(31)).status).toBe(400);
  await until(/^\d\d:\d\d:\d\d\.\d{3} 400 GET +\/api\/v1\/rest\/contact limit="31"$/m);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('an address with what a shell would take is quoted', async () => {
  const { until } = start('sandbox', '--port', '0', '--api-key', "a'b $c");
  await until(/^export EMAIL_MARKETING_API_KEY='a'\\''b \$c'$/m);
});

test('no arguments show the help, with every command', async () => {
  const { ended, text } = start();
  expect(await ended).toBe(0);
  expect(text()).toMatch(/^Usage: email-marketing-client /);
  expect(text()).toMatch(/^ +sandbox /m);
});

test.each([
  [['serve'], /^unknown command 'serve'; commands are .*\bsandbox\b/],
  [['sandbox', '--bogus'], /^unknown option '--bogus'; options are .*--port, --host,/],
  [['sandbox', 'twice'], /too many arguments/],
  [['sandbox', '--port', 'x'], /^--port takes a whole number from 0 to 65535 \(got "x"\)$/m],
  [['sandbox', '--contacts=-1'], /^--contacts takes a whole number from 0 to 5000000 \(got "-1"\)$/m],
  [['sandbox', '--set', 'nothing=1'], /nothing/],
  [['sandbox', '--set', 'contactPageCap=many'], /contactPageCap/],
  [['sandbox', '--set', 'overCap=often'], /overCap/],
])('a wrong command line %j is explained in one line', async (args, expected) => {
  const { ended, text } = start(...args);
  expect(await ended).toBe(2);
  expect(text()).toMatch(expected);
  expect(text().trimEnd().split('\n')).toHaveLength(1);
});

test('a port that is taken is told in a line', async () => {
  const first = start('sandbox', '--port', '0');
  const [, port = ''] = await first.until(/:(\d+)$/m);
  const second = start('sandbox', '--port', port);
  expect(await second.ended).toBe(1);
  expect(second.text()).toMatch(/EADDRINUSE/);
  expect(second.text()).not.toContain('Usage');
});

test('--help and --version', async () => {
  const help = start('--help');
  expect([await help.ended, help.text()]).toEqual([0, expect.stringMatching(/^Usage: /)]);
  const version = start('--version');
  expect([await version.ended, version.text()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});
