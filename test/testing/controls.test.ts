import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { rest } from './http.ts';

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

test('keys of callers are masked in every response of the controls', () =>
  serving(async (control, sandbox, url) => {
    const secret = 'live-key-of-somebody';
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

test('the requests say everything that is known about them', () =>
  serving(async (control, sandbox) => {
    sandbox.latency('tags.create', { ms: 1, times: 1 });
    await rest(sandbox, 'POST /tag', { name: ' ' });
    const [request] = (await control('GET requests?limit=1')).body.requests as readonly Json[];
    expect(request).toMatchObject({
      endpoint: 'POST /tag',
      operation: 'tags.create',
      body: { name: ' ' },
      error: { kind: 'malformed', reason: '"name" is blank', rule: '3.2' },
      appliedFaults: [{ kind: 'latency', ms: 1, times: 1, operation: 'tags.create' }],
      response: {
        status: 400,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        text: '{"status":"error","message":"request body not in proper format"}',
      },
      durationMs: expect.any(Number),
    });
  }));

test('numbering continues after the log is cleared', () =>
  serving(async (control, sandbox) => {
    await rest(sandbox, 'GET /sender');
    expect((await control('DELETE requests')).body).toEqual({});
    expect(sandbox.requests).toHaveLength(0);
    await rest(sandbox, 'GET /sender');
    expect(sandbox.requests[0]?.number).toBe(2);
  }));

test('records come with the names of those that they refer to', () =>
  serving(
    async control => {
      const namesOf = async (kind: string) =>
        Object.values((await control(`GET records/${kind}`)).body.names as object);
      expect(await namesOf('contacts')).toEqual(['vip', 'News', 'plan']);
      expect(await namesOf('campaigns')).toEqual(['May']);
      expect((await control('GET records/campaigns?search=may')).body).toMatchObject({ total: 1 });
    },
    {
      seed: {
        contacts: [{ email: 'a@x.test', tags: ['vip'], lists: ['News'], customFields: { plan: 'pro' } }],
        templates: [{ name: 'May' }],
        campaigns: [{ template: 'May' }],
      },
    },
  ));

test('the service sees records that are added, changed and deleted', () =>
  serving(async (control, sandbox) => {
    const { body: contact } = await control('POST records/contacts', { email: 'ada@x.test', ltv: 5 });
    expect(contact.id).toMatch(/^contact_[a-zA-Z0-9]{22}$/);
    const change = (fields: object) => control(`PATCH records/contacts/${contact.id}`, fields);
    expect((await change({ email: 'b' })).status).toBe(400);
    await change({ email: 'b@x.test', bounced: true });
    expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([
      { email: 'b@x.test', ltv: 5, bounced: true },
    ]);
    expect(sandbox.state.contacts.named('ada@x.test')).toBeUndefined();
    expect((await control('GET records/contacts?search=B@X')).body).toMatchObject({ total: 1 });
    expect(await control(`DELETE records/contacts/${contact.id}`)).toEqual({ status: 200, body: {} });
    expect((await control(`GET records/contacts/${contact.id}`)).status).toBe(404);
  }));

test.each([
  ['contacts', { email: 'Taken@x.test' }, 'another contact already has this email'],
  ['contact', { email: 'a@x.test' }, /^unknown kind of record "contact"; valid: contacts, /],
  ['__proto__', {}, /unknown kind of record/],
  ['contacts', '{"email": "a@x.test",}', /^this is not JSON: .+/],
  ['contacts', 'null', 'a contact must be an object'],
])('an invalid record of %s gets 400: %j', (kind, fields, message) =>
  serving(
    async (control, sandbox) => {
      const before = sandbox.snapshot();
      const response = await control(`POST records/${kind}`, fields);
      expect(response).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
      expect(sandbox.snapshot()).toEqual(before);
    },
    { seed: { contacts: [{ email: 'taken@x.test' }] } },
  ),
);

test('the view has another revision when a request starts or ends, or a record has changed', () =>
  serving(async (control, sandbox) => {
    const revisionOf = async () => Number((await control('GET view')).body.revision);
    const held = sandbox.hold('tags.create');
    let last = await revisionOf();
    const expectChange = async () => {
      const revision = await revisionOf();
      expect(revision).toBeGreaterThan(last);
      last = revision;
    };
    const call = rest(sandbox, 'POST /tag', { name: 'vip' });
    await held.arrived;
    await expectChange();
    held.release();
    await call;
    await expectChange();
    await control(`PATCH records/tags/${sandbox.state.tags.all[0]?.id}`, { name: 'customer' });
    await expectChange();
    expect((await control('GET view')).body).toMatchObject({ requests: 1, counts: { tags: 1 }, faults: [] });
  }));

test('the web page may load its own files and nothing else', async () => {
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
  for (const file of ['ui/..%2Fserver%2Fsite.ts', 'ui/tsconfig.json', 'ui/gone.js', 'unknown'])
    expect((await fetch(`${server.url}/_sandbox/${file}`)).status).toBe(404);
});

test.each(['POST reste', 'GET reset'])(
  'the unknown control %s gets 404, and which controls there are',
  request =>
    serving(async control => {
      const message = `unknown control "${request}"; valid: GET view, GET health, GET requests, DELETE requests, GET faults, POST faults, DELETE faults, POST reset, GET snapshot, PUT snapshot, GET records, POST records, PATCH records, DELETE records`;
      expect(await control(request)).toEqual({ status: 404, body: { status: 'error', message } });
    }),
);

test('another process clears a kind of record, but not for an id that is empty', () =>
  serving(
    async (control, sandbox) => {
      expect((await control('DELETE records/contacts/')).status).toBe(404);
      expect((await control('DELETE records/contact')).status).toBe(400);
      expect(sandbox.state.contacts.size).toBe(2);
      expect(await control('DELETE records/contacts')).toEqual({ status: 200, body: {} });
      expect([sandbox.state.contacts.size, sandbox.state.senders.size]).toEqual([0, 1]);
    },
    { seed: { contacts: 2, senders: 1 } },
  ));

test('another process switches faults on and off', () =>
  serving(async (control, sandbox) => {
    const order = { operation: 'GET /sender', kind: 'fail', status: 502, times: 5 };
    expect((await control('POST faults', order)).body).toMatchObject({ ...order, hits: 0, number: 1 });
    expect((await rest(sandbox, 'GET /sender')).status).toBe(502);
    expect((await control('GET faults')).body).toMatchObject({ faults: [{ hits: 1 }] });
    for (const target of ['tags.create', 'lists.create'] as const) sandbox.fail(target);
    const done = { status: 200, body: {} };
    // One that has ended is still known: removing it again, as a test's cleanup does, is no error.
    for (const _ of [1, 2]) expect(await control('DELETE faults/2')).toEqual(done);
    expect(sandbox.faults().map(({ number }) => number)).toEqual([1, 3]);
    for (const _ of [1, 2]) expect(await control('DELETE faults')).toEqual(done);
    expect(sandbox.faults()).toEqual([]);
  }));

test('another process reads a fault after it has ended, until a reset', () =>
  serving(async (control, sandbox) => {
    await control('POST faults', { operation: 'senders.list', kind: 'fail', times: 1 });
    for (const _ of [1, 2]) await rest(sandbox, 'GET /sender');
    expect((await control('GET faults')).body).toEqual({ faults: [] });
    expect((await control('GET faults/1')).body).toMatchObject({ kind: 'fail', number: 1, hits: 1 });
    for (const method of ['GET', 'DELETE'])
      for (const number of ['2', '1e0', '01', 'tags.create', '__proto__']) {
        const missing = { message: `no fault has the number ${JSON.stringify(number)} since the last reset` };
        expect(await control(`${method} faults/${number}`)).toMatchObject({ status: 404, body: missing });
      }
    expect(await control('POST reset')).toEqual({ status: 200, body: {} });
    expect((await control('GET faults/1')).status).toBe(404);
  }));

test('another process holds requests, and releases them', () =>
  serving(async (control, sandbox) => {
    await control('POST faults', { operation: 'tags.create', kind: 'hold' });
    const call = rest(sandbox, 'POST /tag', { name: 'vip' });
    await eventually(async () => expect((await control('GET faults/1')).body.hits).toBe(1));
    expect(sandbox.state.tags.size).toBe(0);
    expect((await control('DELETE faults/1')).body).toEqual({});
    expect((await call).status).toBe(200);
  }));

test('another process takes a snapshot, larger than a body of the service, and restores it', () =>
  serving(
    async (control, sandbox) => {
      const { body } = await control('GET snapshot');
      const before = sandbox.snapshot();
      expect(body).toEqual(before);
      expect(JSON.stringify(body).length).toBeGreaterThan(10_000);
      sandbox.state.contacts.clear();
      expect(await control('PUT snapshot', body)).toEqual({ status: 200, body: {} });
      expect(sandbox.snapshot()).toEqual(before);
      const invalid = { ...body, tags: [{ name: 5 }] };
      const message = 'tags[0]: name must be a string (got 5)';
      expect(await control('PUT snapshot', invalid)).toMatchObject({ status: 400, body: { message } });
      expect((await control('PUT snapshot', {})).status).toBe(400);
      expect(sandbox.snapshot()).toEqual(before);
    },
    { seed: { contacts: 100, domains: 1 } },
  ));

const saying = (message: string | RegExp) =>
  typeof message === 'string' ? message : expect.stringMatching(message);

const incomplete =
  'a fault must be an object with operation and kind, such as { "operation": "tags.create", "kind": "fail", "times": 2 }';

test.each<[body: unknown, message: string | RegExp]>([
  ['{', /^this is not JSON: /],
  ['null', incomplete],
  [{ kind: 'fail' }, incomplete],
  [{ operation: '*' }, incomplete],
  [
    { operation: 'GET /sende', kind: 'fail' },
    /^unknown operation "GET \/sende"; valid: \*, domains.create, /,
  ],
  [{ operation: '*', kind: '__proto__' }, /^unknown kind of fault "__proto__"; valid: fail/],
  [{ operation: '*', kind: 'fail', when: { bdy: 1 } }, /^unknown member of when "bdy"; valid: number, /],
])('the invalid fault %j gets 400, and a message of the sandbox', (order, message) =>
  serving(async (control, sandbox) => {
    const body = { status: 'error', message: saying(message) };
    expect(await control('POST faults', order)).toMatchObject({ status: 400, body });
    expect(sandbox.faults()).toEqual([]);
  }),
);

test('responds to tools that wait for a server, without a line in the request log', () =>
  serving(async (control, sandbox, url) => {
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await control('GET health')).toEqual({ status: 200, body: { status: 'ok' } });
    for (const path of ['health', 'requests', 'ui/page.css'])
      expect((await fetch(`${url}/_sandbox/${path}`, { method: 'HEAD' })).status, path).toBe(200);
    expect((await fetch(`${url}/_sandbox/unknown`, { method: 'HEAD' })).status).toBe(404);
    expect(sandbox.requests).toHaveLength(0);
  }));

test.each([
  ['records/contacts?serch=ada', 'unknown query parameter "serch"; valid: search, limit'],
  ['records/contacts?limit=0', 'limit must be a whole number from 1 (got 0)'],
  ['requests?limit=', 'limit must be a whole number from 1 (got "")'],
  ['requests?operation=tag.create', /^unknown operation "tag.create"; valid: domains.create, /],
  ['requests?method=POST', /^unknown query parameter "method"; valid: operation, limit$/],
  ['requests?limit=1&limit=2', 'each query parameter can be given only once'],
  ['requests?__proto__=1', /^unknown query parameter "__proto__"/],
  ['view?x=1', 'unknown query parameter "x"; valid: none'],
])('the query of %s, which means nothing, gets 400 and what is wrong', (path, message) =>
  serving(async control => {
    expect(await control(`GET ${path}`)).toMatchObject({ status: 400, body: { message: saying(message) } });
  }),
);

test('another process selects requests by operation, and the last ones', () =>
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
  }));

test('a contact has the names of its tags over HTTP, which a change may repeat', () =>
  serving(async (control, sandbox) => {
    const tags = ['vip', 'new'];
    const { body } = await control('POST records/contacts', { email: 'a@x.test', tags });
    expect(body.tagNames).toEqual(tags);
    const path = `records/contacts/${body.id}`;
    expect((await control(`GET ${path}`)).body.records).toMatchObject([{ tagNames: tags }]);
    expect((await control('GET records/contacts')).body.records).toMatchObject([{ tagNames: tags }]);
    expect((await control(`PATCH ${path}`, { ...body, ltv: 5 })).status).toBe(200);
    expect(sandbox.state.contacts.all).toMatchObject([{ ltv: 5, tagNames: tags }]);
    const { message } = (await control(`PATCH ${path}`, { tagNames: ['vip'] })).body;
    expect(message).toMatch(/^unknown field of a contact "tagNames"/);
    expect((await control('GET records/tags')).body.records).not.toMatchObject([{ tagNames: [] }, {}]);
  }));
