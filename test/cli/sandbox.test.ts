import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { rows } from '../endpoints.ts';
import { surroundings } from '../support/surroundings.ts';

/** Commands that run, with what stops them as a signal does. */
const running: { readonly ended: Promise<number>; stop(): void }[] = [];
afterEach(async () => {
  for (const { stop } of running) stop();
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

/** Starts a command; `text()` is what it has printed so far. */
function start(...args: string[]) {
  const own = surroundings();
  const { stdout, stderr, signals } = own;
  const ended = main(args, own);
  const text = () => stdout.text + stderr.text;
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(text());
      if (found !== null) return found;
      await Promise.race([once(stdout, 'text'), once(stderr, 'text')]);
    }
  };
  const started = { ended, until, text, stop: () => void signals.emit('SIGTERM', 'SIGTERM') };
  running.push(started);
  return started;
}

/** Starts a sandbox on a free port; `call` sends a request with its key. */
async function serve(...args: string[]) {
  const started = start('sandbox', '--port', '0', ...args);
  const [, url = ''] = await started.until(/^export EMAIL_MARKETING_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)$/m);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v1/rest${path}`, { headers: { 'X-Team-ApiKey': 'sandbox-key' }, ...init });
  return { ...started, url, call };
}

test('prints the variables to export, serves, and logs requests with the faults that applied', async () => {
  const { until, call, url } = await serve('--contacts', '30', '--set', 'contactPageCap=30');
  await until(/^export EMAIL_MARKETING_API_KEY=sandbox-key$/m);
  await until(/^export EMAIL_MARKETING_TEAM_ID=(\S+)$/m);
  expect(await (await call('/contact?limit=30')).json()).toHaveLength(30);
  expect((await call('/contact?limit=31')).status).toBe(400);
  await until(
    /^\d\d:\d\d:\d\d\.\d{3} 400 GET +\/api\/v1\/rest\/contact limit="31" - limit 31 is over the maximum of 30$/m,
  );
  for (const fault of ['"kind":"latency","ms":0', '"kind":"fail","status":502'])
    await fetch(`${url}/_sandbox/faults`, { method: 'POST', body: `{"operation":"*",${fault}}` });
  await call('/sender');
  await until(/502 GET +\/api\/v1\/rest\/sender \(latency\) \(fail\)$/m);
});

test('starts with records of each kind that an operation reads or deletes', async () => {
  const { url } = await serve();
  const found = (await (await fetch(`${url}/_sandbox/snapshot`)).json()) as Record<string, unknown[]>;
  for (const kind of new Set(rows.flatMap(({ seed }) => Object.keys(seed ?? {}))))
    expect(found[kind]?.length, kind).toBeGreaterThan(0);
});

test.each([
  [['sandbox', 'twice'], /Too many arguments for 'sandbox'\. Expected 0 arguments but got 1: twice\.$/m],
  [
    ['sandbox', '--port', '1e3'],
    /^email-marketing-client sandbox: --port takes a whole number from 0 to 65535, not "1e3"\.$/m,
  ],
  [
    ['sandbox', '--contacts', '1000001'],
    /^email-marketing-client sandbox: --contacts takes a whole number from 0 to 1000000, not "1000001"\.$/m,
  ],
  [['sandbox', '--set', 'nothing=1'], /nothing/],
  [['sandbox', '--set', 'overCap=often'], /overCap/],
  [['sandbox', '--port', '0', '--state', import.meta.filename], /--state .*: .*JSON/m],
  [
    ['sandbox', '--port', '0', '--state', import.meta.dirname],
    / is not a regular file\. Use another name\.$/m,
  ],
])('explains in one line what is wrong with %j', async (args, expected) => {
  const { ended, text } = start(...args);
  expect(await ended).toBe(2);
  expect(text()).toMatch(expected);
  expect(text().trimEnd().split('\n')).toHaveLength(1);
});

test('reports a port in use in one line that says to pass --port', async () => {
  const { port } = new URL((await serve()).url);
  const second = start('sandbox', '--port', port);
  expect(await second.ended).toBe(2);
  expect(second.text()).toMatch(
    /^email-marketing-client sandbox: The sandbox cannot start: .*address already in use .* Pass another .*--port/,
  );
  expect(second.text()).not.toContain('Usage');
});

test('--host 0.0.0.0 prints an address of this machine, which the client accepts', async () => {
  expect((await serve('--host', '0.0.0.0')).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

/** Returns a folder that exists until the end of the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('--state keeps the records when the sandbox restarts', async () => {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  for (const status of [200, 409]) {
    const { ended, call, stop } = await serve('--contacts', '2', '--state', file);
    expect((await call('/tag', { method: 'POST', body: '{"name":"kept"}' })).status).toBe(status);
    stop();
    expect(await ended).toBe(0);
  }
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a reset restores the records of --state, which are written at exit', async () => {
  const records = { contacts: [{ email: 'ada@x.test' }], tags: [{ name: 'vip' }] };
  const file = stateFile(JSON.stringify(records));
  const { ended, url, call, stop } = await serve('--state', file);
  expect((await call('/tag', { method: 'POST', body: '{"name":"new"}' })).status).toBe(200);
  expect((await fetch(`${url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200);
  stop();
  expect(await ended).toBe(0);
  const { contacts, tags, senders } = JSON.parse(readFileSync(file, 'utf8'));
  expect({ contacts, tags }).toMatchObject(records);
  expect(senders).toEqual([]);
});

/** Writes `state.json` in a new folder, and returns its path. */
function stateFile(content: string): string {
  const file = join(newFolder(), 'state.json');
  writeFileSync(file, content);
  return file;
}

test.each([
  [{ contacts: [], segments: [{ name: 'a' }] }, /: Unknown kind of record "segments"\. .* newer version/],
  [{ contacts: [{ email: 'a@x.test', phone: '1' }] }, /: contacts\[0\]: Unknown field of a contact "phone"/],
])(
  'does not start with the state %j, which it does not understand, and keeps the file',
  async (state, message) => {
    const file = stateFile(JSON.stringify(state));
    const { ended, text } = start('sandbox', '--port', '0', '--state', file);
    expect(await ended).toBe(2);
    expect(text()).toMatch(message);
    expect(text().trimEnd().split('\n')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(state));
    expect(readdirSync(dirname(file))).toEqual(['state.json']);
  },
);

test('prints the address and the keys as JSON, and no log', async () => {
  const { text, until } = start('sandbox', '--port', '0', '--json');
  await until(/}\n/);
  const { url, apiKey, teamId } = JSON.parse(text());
  expect([apiKey, teamId]).toEqual(['sandbox-key', 'sandbox-team']);
  const response = await fetch(`${url}/api/v1/rest/contact?limit=100`, {
    headers: { 'X-Team-ApiKey': apiKey },
  });
  expect(await response.json()).toHaveLength(100);
  expect(text().trim().split('\n')).toHaveLength(1);
});
