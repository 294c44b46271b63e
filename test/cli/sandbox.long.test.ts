import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { lacksSignals } from '../support/staged-programs.ts';

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

test('prints the variables to export, serves, and logs requests', async () => {
  const { until } = start('sandbox', '--port', '0', '--contacts', '30', '--set', 'contactPageCap=30');
  const [, url] = await until(/^export EMAIL_MARKETING_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)$/m);
  const [, key = ''] = await until(/^export EMAIL_MARKETING_API_KEY=(\S+)$/m);
  await until(/^export EMAIL_MARKETING_TEAM_ID=(\S+)$/m);
  const call = (limit: number) =>
    fetch(`${url}/api/v1/rest/contact?limit=${limit}`, { headers: { 'X-Team-ApiKey': key } });
  expect(await (await call(30)).json()).toHaveLength(30);
  expect((await call(31)).status).toBe(400);
  await until(
    /^\d\d:\d\d:\d\d\.\d{3} 400 GET +\/api\/v1\/rest\/contact limit="31" - limit 31 is over the maximum of 30$/m,
  );
});

test('--fail switches faults on', async () => {
  const { until } = start(
    'sandbox',
    '--port',
    '0',
    '--fail',
    'senders.list=503x1',
    '--fail',
    'POST /tag=429',
  );
  const [, url] = await until(/^export EMAIL_MARKETING_BASE_URL=(\S+)$/m);
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(`${url}/api/v1/rest${path}`, { method, headers: { 'X-Team-ApiKey': 'sandbox-key' } }))
      .status;
  expect([await statusOf('/sender'), await statusOf('/sender')]).toEqual([503, 200]);
  expect([await statusOf('/tag', 'POST'), await statusOf('/tag', 'POST')]).toEqual([429, 429]);
});

test.skipIf(lacksSignals)('ends with the exit code 0 at SIGTERM', async () => {
  const { child, ended, until } = start('sandbox', '--port', '0');
  const [, url = ''] = await until(/^export EMAIL_MARKETING_BASE_URL=(\S+)$/m);
  await fetch(url);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('values with characters that a shell interprets are quoted', async () => {
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
  [['serve'], /^unknown command 'serve' \(see --help\)$/m],
  [['sandbox', '--bogus'], /^unknown option '--bogus' \(see --help\)$/m],
  [['sandbox', 'twice'], /too many arguments/],
  [['sandbox', '--port', 'x'], /^--port takes a whole number from 0 to 65535 \(got "x"\)$/m],
  [['sandbox', '--contacts=-1'], /^--contacts takes a whole number from 0 to 5000000 \(got "-1"\)$/m],
  [
    ['sandbox', '--fail', 'tags.create'],
    /^--fail takes an operation and a status such as tags\.create=503x2/,
  ],
  [['sandbox', '--fail', 'tag.create=503'], /^--fail: .*did you mean "tags\.create"\?$/m],
  [['sandbox', '--set', 'nothing=1'], /nothing/],
  [['sandbox', '--set', 'overCap=often'], /overCap/],
])('a wrong command line %j is explained in one line', async (args, expected) => {
  const { ended, text } = start(...args);
  expect(await ended).toBe(2);
  expect(text()).toMatch(expected);
  expect(text().trimEnd().split('\n')).toHaveLength(1);
});

test('a port in use is reported in one line that says to pass --port', async () => {
  const first = start('sandbox', '--port', '0');
  const [, port = ''] = await first.until(/:(\d+)$/m);
  const second = start('sandbox', '--port', port);
  expect(await second.ended).toBe(2);
  expect(second.text()).toMatch(/^port \d+ is in use; pass another with --port/);
  expect(second.text()).not.toContain('Usage');
});

test('prints its help with --help, and its version with --version', async () => {
  const help = start('--help');
  expect([await help.ended, help.text()]).toEqual([0, expect.stringMatching(/^Usage: /)]);
  const version = start('--version');
  expect([await version.ended, version.text()]).toEqual([0, `${manifest.version}\n`]);
});

test('the start lists the templates and campaigns of the seed with their ids, since no endpoint does', async () => {
  const { until } = start('sandbox', '--port', '0');
  const [, url] = await until(/^export EMAIL_MARKETING_BASE_URL=(\S+)$/m);
  const [, template] = await until(/^ {2}(template_[a-zA-Z0-9]{22}) {2}Welcome$/m);
  const [, campaign] = await until(/^ {2}(campaign_[a-zA-Z0-9]{22}) {2}The draft campaign$/m);
  for (const path of [`template/email/${template}`, `campaign/${campaign}`]) {
    const response = await fetch(`${url}/api/v1/rest/${path}`, {
      method: 'DELETE',
      headers: { 'X-Team-ApiKey': 'sandbox-key' },
    });
    expect(response.status).toBe(200);
  }
});

test('--help lists every setting that --set takes, with its values', async () => {
  const { ended, text } = start('sandbox', '--help');
  expect(await ended).toBe(0);
  expect(text()).toMatch(/^ {2}overCap=refuse\|cap$/m);
  expect(text()).toMatch(/^ {2}contactPageCap=100 {2}\(1 to \d+\)$/m);
  expect(text()).toMatch(/^ {2}uniqueNames=domain,tag {2}\(any of domain, tag, list, postCategory\)$/m);
});

test('keeps serving when the reader of its log ends', async () => {
  const { child, until } = start('sandbox', '--port', '0');
  const [, url] = await until(/^export EMAIL_MARKETING_BASE_URL=(\S+)$/m);
  child.stdout.destroy();
  const call = () => fetch(`${url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': 'sandbox-key' } });
  for (let number = 0; number < 20; number++) expect((await call()).status).toBe(200);
  expect(child.exitCode).toBe(null);
});

test('--host 0.0.0.0 prints an address of this machine, which the client accepts', async () => {
  const { until } = start('sandbox', '--port', '0', '--host', '0.0.0.0');
  await until(/^export EMAIL_MARKETING_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
});

test('--allowed-host accepts a further host name', async () => {
  const { until } = start('sandbox', '--port', '0', '--allowed-host', 'sandbox.local');
  const [, port] = await until(/^export EMAIL_MARKETING_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)$/m);
  const statusOf = async (host: string) => {
    const sent = request({ port, path: '/openapi.json', headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf('sandbox.local')).toBe(200);
  expect(await statusOf('evil.test')).toBe(403);
});

test.skipIf(lacksSignals)('--state keeps the records over a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state.json');
  const runOnce = async (use: (url: string) => Promise<void>) => {
    const { child, ended, until } = start('sandbox', '--port', '0', '--contacts', '2', '--state', file);
    const [, url = ''] = await until(/^export EMAIL_MARKETING_BASE_URL=(\S+)$/m);
    await use(url);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  };
  const headers = { 'X-Team-ApiKey': 'sandbox-key' };
  await runOnce(async url => {
    await fetch(`${url}/api/v1/rest/tag`, { method: 'POST', headers, body: '{"name":"kept"}' });
  });
  await runOnce(async url => {
    const again = await fetch(`${url}/api/v1/rest/tag`, { method: 'POST', headers, body: '{"name":"kept"}' });
    expect(again.status).toBe(409);
  });
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a state file that is not one is reported in one line', async () => {
  const { ended, text } = start('sandbox', '--port', '0', '--state', cli);
  expect(await ended).toBe(2);
  expect(text()).toMatch(/^--state .*: the state is not JSON\n$/);
});

test('prints the address, the keys and the ids of templates as JSON, and no log', async () => {
  const { text, until } = start('sandbox', '--port', '0', '--json');
  await until(/}\n/);
  const { url, apiKey, teamId, templates } = JSON.parse(text());
  expect([apiKey, teamId]).toEqual(['sandbox-key', 'sandbox-team']);
  expect(templates[0]).toEqual({ id: expect.stringMatching(/^template_/), name: 'Welcome' });
  const response = await fetch(`${url}/api/v1/rest/contact?limit=100`, {
    headers: { 'X-Team-ApiKey': apiKey },
  });
  expect(await response.json()).toHaveLength(100);
  expect(text().trim().split('\n')).toHaveLength(1);
});
