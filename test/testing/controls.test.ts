// What other processes and the web page do over HTTP.
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { outcome, rest } from './http.ts';

type Json = Record<string, unknown>;

type Control = (request: string, body?: unknown) => Promise<{ status: number; body: Json }>;

/** Runs a test against the controls of a sandbox that listens. */
async function serving(
  use: (control: Control, sandbox: Sandbox, url: string) => Promise<void>,
  options: SandboxOptions = {},
) {
  const sandbox = createSandbox(options);
  await using server = await sandbox.listen();
  const control: Control = async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = body === undefined ? { method } : { method, body: text };
    const response = await fetch(`${server.url}/_sandbox/${path}`, init);
    return { status: response.status, body: (await response.json()) as Json };
  };
  await use(control, sandbox, server.url);
}

const done = [200, {}];

test('keys of callers are masked in every response of the controls', () =>
  serving(async (control, sandbox, url) => {
    const secret = 'live-key-of-a-caller';
    await fetch(`${url}/api/v1/contact/track?email=a%40x.test&team_id=team-7`, {
      method: 'POST',
      headers: {
        'x-team-apikey': secret,
        api_key: secret,
        'x-api-key': secret,
        authorization: `Bearer ${secret}`,
        'proxy-authorization': secret,
        cookie: `a=${secret}`,
      },
      body: '{}',
    });
    for (const path of ['requests', 'view'])
      expect(JSON.stringify((await control(`GET ${path}`)).body)).not.toContain(secret);
    expect((await control('GET requests')).body).toMatchObject({
      requests: [{ query: { team_id: 'team-7' } }],
    });
    expect(sandbox.requests[0]?.headers.api_key).toBe(secret);
  }));

test('a request comes with its response, its error and its faults', () =>
  serving(async (control, sandbox) => {
    sandbox.latency('tags.create', { ms: 1, times: 1 });
    await rest(sandbox, 'POST /tag', { name: ' ' });
    expect((await control('GET requests?limit=1')).body.requests).toMatchObject([
      {
        body: { name: ' ' },
        error: { kind: 'malformed', reason: '"name" is blank', rule: '3.2' },
        appliedFaults: [{ kind: 'latency', ms: 1, times: 1, operation: 'tags.create' }],
        response: {
          status: 400,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          text: '{"status":"error","message":"request body not in proper format"}',
        },
      },
    ]);
  }));

test('requests are selected by operation, the last ones by limit, and removed without restarting the numbering', () =>
  serving(async (control, sandbox) => {
    for (const _ of [1, 2, 3]) await rest(sandbox, 'GET /sender');
    await rest(sandbox, 'GET /list');
    const numbers = async (query: string) => {
      const { requests } = (await control(`GET requests?${query}`)).body;
      return (requests as readonly Json[]).map(({ number }) => number);
    };
    expect(await numbers('')).toEqual([1, 2, 3, 4]);
    expect(await numbers('operation=senders.list')).toEqual([1, 2, 3]);
    expect(await numbers('operation=senders.list&limit=2')).toEqual([2, 3]);
    expect(outcome(await control('DELETE requests'))).toEqual(done);
    expect(await numbers('')).toEqual([]);
    await rest(sandbox, 'GET /sender');
    expect(await numbers('')).toEqual([5]);
  }));

test('records come with the names of the records that they refer to, which a search finds', () =>
  serving(
    async control => {
      const namesOf = async (kind: string) =>
        Object.values((await control(`GET records/${kind}`)).body.names as object);
      expect(await namesOf('contacts')).toEqual(['vip', 'News', 'plan']);
      expect(await namesOf('campaigns')).toEqual(['May']);
      expect((await control('GET records/campaigns?search=may')).body).toMatchObject({ total: 1 });
      expect((await control('GET records/campaigns?search=june')).body).toMatchObject({ total: 0 });
    },
    {
      seed: {
        contacts: [{ email: 'a@x.test', tags: ['vip'], lists: ['News'], customFields: { plan: 'pro' } }],
        templates: [{ name: 'May' }],
        campaigns: [{ template: 'May' }],
      },
    },
  ));

test('the service sees records that are added, changed, deleted and cleared', () =>
  serving(
    async (control, sandbox) => {
      const { body: contact } = await control('POST records/contacts', { email: 'ada@x.test', ltv: 5 });
      const one = `records/contacts/${contact.id}`;
      const revisionOf = async () => Number((await control('GET view')).body.revision);
      const revision = await revisionOf();
      expect((await control(`PATCH ${one}`, { email: 'b' })).status).toBe(400);
      const changes = { email: 'b@x.test', bounced: true };
      // Fields that a change repeats stay the same.
      const changed = await control(`PATCH ${one}`, { ...contact, ...changes });
      expect(changed.body).toMatchObject({ ...changes, ltv: 5 });
      // The page reads records again after each change.
      expect(await revisionOf()).toBeGreaterThan(revision);
      expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([{ ltv: 5, ...changes }]);
      expect(sandbox.state.contacts.named('ada@x.test')).toBeUndefined();
      expect((await control('GET records/contacts?search=B@X')).body).toMatchObject({ total: 1 });
      expect(outcome(await control(`DELETE ${one}`))).toEqual(done);
      const message = `No contact has the id "${contact.id}". It may have been deleted.`;
      expect(outcome(await control(`GET ${one}`))).toEqual([404, { status: 'error', message }]);
      await control('POST records/contacts', { email: 'ada@x.test' });
      // An empty id, as an unset variable of a shell is, deletes nothing.
      expect((await control('DELETE records/contacts/')).status).toBe(404);
      expect(sandbox.state.contacts.size).toBe(1);
      expect(outcome(await control('DELETE records/contacts'))).toEqual(done);
      expect([sandbox.state.contacts.size, sandbox.state.senders.size]).toEqual([0, 1]);
    },
    { seed: { senders: 1 } },
  ));

test('the web page can load only its own files', async () => {
  await using server = await createSandbox().listen();
  const page = await fetch(server.url);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  for (const [, file] of html.matchAll(/(?:href|src)="(\/_sandbox\/ui\/[^"]+)"/g))
    expect((await fetch(server.url + file)).status).toBe(200);
  for (const file of ['ui/..%2Fserver%2Fsite.ts', 'ui/tsconfig.json', 'ui/gone.js'])
    expect((await fetch(`${server.url}/_sandbox/${file}`)).status).toBe(404);
});

test('tools that wait for a server get a response, and the request log stays empty', () =>
  serving(async (control, sandbox, url) => {
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(outcome(await control('GET health'))).toEqual([200, { status: 'ok' }]);
    for (const [path, status] of Object.entries({ health: 200, 'ui/page.css': 200, unknown: 404 }))
      expect((await fetch(`${url}/_sandbox/${path}`, { method: 'HEAD' })).status, path).toBe(status);
    expect(sandbox.requests).toHaveLength(0);
  }));

test('faults are switched on and off, and can be read after their end until a reset', () =>
  serving(async (control, sandbox) => {
    const order = { operation: 'GET /sender', kind: 'fail', status: 502, times: 1 };
    expect((await control('POST faults', order)).body).toEqual({ ...order, hits: 0, number: 1 });
    expect((await rest(sandbox, 'GET /sender')).status).toBe(502);
    expect((await control('GET faults/1')).body).toEqual({ ...order, hits: 1, number: 1 });
    for (const target of ['tags.create', 'lists.create'] as const) sandbox.fail(target);
    expect((await control('GET faults')).body).toMatchObject({ faults: [{ number: 2 }, { number: 3 }] });
    // A second removal, as in the cleanup of a test, succeeds.
    for (const _ of [1, 2]) expect(outcome(await control('DELETE faults/2'))).toEqual(done);
    expect(sandbox.faults().map(({ number }) => number)).toEqual([3]);
    expect(outcome(await control('DELETE faults'))).toEqual(done);
    expect(sandbox.faults()).toEqual([]);
    expect(outcome(await control('POST reset'))).toEqual(done);
    const message = 'No fault has the number "1" since the last reset.';
    for (const method of ['GET', 'DELETE'])
      expect(await control(`${method} faults/1`)).toMatchObject({ status: 404, body: { message } });
  }));

test('a snapshot can be restored, and an invalid one changes nothing', () =>
  serving(
    async (control, sandbox) => {
      const { body } = await control('GET snapshot');
      const before = sandbox.snapshot();
      expect(body).toEqual(before);
      sandbox.state.contacts.clear();
      expect(outcome(await control('PUT snapshot', body))).toEqual(done);
      expect(sandbox.snapshot()).toEqual(before);
      const message = 'tags[0]: name must be a string (got 5).';
      const invalid = await control('PUT snapshot', { ...body, tags: [{ name: 5 }] });
      expect(invalid).toMatchObject({ status: 400, body: { message } });
      expect(sandbox.snapshot()).toEqual(before);
    },
    { seed: { contacts: 100, domains: 1 } },
  ));

const incomplete =
  'A fault must be an object with operation and kind, such as { "operation": "tags.create", "kind": "fail", "times": 2 }.';

test.each<[request: string, body: unknown, message: string | RegExp, status?: number]>([
  ['POST reste', undefined, 'Unknown control "POST reste". Did you mean POST reset?', 404],
  [
    'GET reset',
    undefined,
    /^Unknown control "GET reset"\. Known names: GET view, .*, DELETE records\.$/,
    404,
  ],
  ['GET records/contacts?serch=ada', undefined, 'Unknown query parameter "serch". Did you mean search?'],
  ['GET requests?limit=', undefined, 'limit must be a whole number from 1 (got "").'],
  [
    'GET requests?operation=tag.create',
    undefined,
    'Unknown operation "tag.create". Did you mean tags.create?',
  ],
  ['POST records/contacts', { email: 'Taken@x.test' }, 'Another contact already has this email.'],
  ['POST records/contacts', '{"email": "a@x.test",}', /^The body is not JSON: .+\.$/],
  ['POST records/contacts', 'null', 'A contact must be an object.'],
  ['DELETE records/contact', undefined, 'Unknown kind of record "contact". Did you mean contacts?'],
  ['GET records/__proto__', undefined, /^Unknown kind of record "__proto__"\. Known names: contacts, /],
  ['POST faults', { operation: '*' }, incomplete],
  [
    'POST faults',
    { operation: '*', kind: '__proto__' },
    /^Unknown kind of fault "__proto__"\. Known names: fail,/,
  ],
])('%s with the body %j is rejected with the reason', (request, body, message, status = 400) =>
  serving(
    async (control, sandbox) => {
      const before = sandbox.snapshot();
      const text = typeof message === 'string' ? message : expect.stringMatching(message);
      expect(outcome(await control(request, body))).toEqual([status, { status: 'error', message: text }]);
      expect([sandbox.snapshot(), sandbox.faults()]).toEqual([before, []]);
    },
    { seed: { contacts: [{ email: 'taken@x.test' }] } },
  ),
);
