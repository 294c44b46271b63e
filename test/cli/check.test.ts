import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Failure, FaultTarget } from '../../src/testing/index.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { listen } from '../support/listen.ts';
import { emptyContact } from '../support/specified-records.ts';
import { endedWith, stage } from './run-cli.ts';

/** Runs `check` against a server that responds by hand. */
async function checkAgainst(bodies: Readonly<Record<string, unknown>>, ...args: string[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*/, '').replace('/api/v1/rest', '') ?? '';
    requests.push(`${request.method} ${path}`);
    const body = typeof bodies[path] === 'function' ? bodies[path]() : bodies[path];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body ?? []));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  await using staged = await stage();
  const env = { EMAIL_MARKETING_BASE_URL: url, EMAIL_MARKETING_API_KEY: 'secret-1' };
  const ended = await staged.runWith(env, 'check', ...args);
  server.close();
  return { ...ended, requests };
}

const contact = {
  ...emptyContact,
  id: 'contact_6FTlZRplI6n5xQpEdKGSZT',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
};

useNoRetryDelay();

describe('check', () => {
  test('passes on a service whose ids have other lengths, and reports them', async () => {
    const label = { name: 'n', created: '2025-12-22T09:04:10Z', updated: '2025-12-22T09:04:10Z' };
    const { code, stdout, requests } = await checkAgainst({
      '/list': [{ id: 'list_504', ...label, type: 0 }],
      '/contact': [{ ...contact, id: 'contact_504', lists: ['list_504'], tags: ['tag_504'] }],
      '/post/tag': [{ id: 'post_tag_504', ...label }],
      '/post/tag/post_tag_504': { id: 'post_tag_504', ...label },
      '/sender': [{ id: 'sender_504', name: 'n', email: 's@x.test', isWhitelisted: true }],
    });
    expect(code).toBe(0);
    expect(stdout).not.toContain('failed');
    expect(requests).toContain('GET /post/tag/post_tag_504');
    const differences = stdout.split('\n').filter(line => line.startsWith('difference'));
    expect(differences).toHaveLength(7);
    expect(differences[0]).toBe(
      'difference in lists.list at [].id: expected a list id (list_ and 22 letters or digits), got string',
    );
  });

  test('confirms the address and the key by reading only, and says what it did not check', async () => {
    await using staged = await stage({
      seed: { contacts: 40, senders: 2, postTags: 1, lists: [{ name: 'a' }] },
    });
    const { code, stdout } = await staged.run('check');
    expect(code).toBe(0);
    for (const line of [
      'ok address: the service responds',
      'ok key: the service accepts it',
      'unchecked team: only --write EMAIL checks it, once the address and key work',
      'ok lists.list: 1 record',
      'ok contacts.list: 30 records',
      'ok contacts.list?search: 1 record',
      'ok postTags.list: 1 record',
      'ok postTags.get: 1 record',
      'ok senders.list: 2 records',
    ])
      expect(stdout.split('\n')).toContain(line);
    const methods = staged.sandbox.requests.matching({}).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  test('--write checks the team id, and that the calls can be repeated, without changes to the contact', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const [before] = structuredClone(staged.sandbox.state.contacts.all);
    const right = await staged.run('check', '--write', 'person1@example.com', '--yes');
    expect(right.code).toBe(0);
    expect(right.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'ok team: the service accepts it, at the legacy address with the legacy key',
        'ok legacy.identify: the second call changed nothing',
        'ok legacy.track addTags: the second call changed nothing',
        'ok legacy.track removeTags: the second call changed nothing',
        'left behind: the contact person1@example.com, unless it existed',
        'left behind: the tag email-marketing-client-check',
      ]),
    );
    expect(right.stderr).toContain('1. identify creates person1@example.com, or leaves it unchanged');
    expect(right.stderr).toContain('Calling legacy.track addTags for person1@example.com (first time).');
    expect(staged.sandbox.state.contacts.all).toEqual([{ ...before, updated: expect.any(String) }]);
    const wrong = { EMAIL_MARKETING_TEAM_ID: 'wrong-team' };
    const ended = await staged.runWith(wrong, 'check', '--write', 'person1@example.com', '--yes');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('failed team: legacy.identify: 401');
    expect(ended.stdout).not.toContain('wrong-team');
  });

  test.each([['<html>Sign in</html>'], [[]], ['"ok"'], [{}], [{ success: false }], [{ status: 'failed' }]])(
    'fails the team id if the response is 200 and %j',
    async body => {
      await using staged = await stage();
      staged.sandbox.fail('POST /contact/identify', { status: 200, body });
      const ended = await staged.run('check', '--write', 'person1@example.com', '--yes');
      expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('failed team: ') });
    },
  );

  test.each([['me'], ['secret-1'], ['me@example.com, you@example.com'], ['']])(
    '--write with %j, which is not an address, sends no request',
    async text => {
      await using staged = await stage();
      const ended = await staged.run('check', '--write', text, '--yes');
      expect(ended).toMatchObject(endedWith(2, '--write takes one email address. Use your own.\n'));
      expect([staged.sandbox.requests.count(), ended.stderr.includes('secret-1')]).toEqual([0, false]);
    },
  );

  test('--write names a failed call once', async () => {
    await using staged = await stage();
    staged.sandbox.fail('POST /contact/track', { status: 422, body: { message: 'no such tag' } });
    const { code, stdout } = await staged.run('check', '--write', 'me@example.com', '--yes');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed legacy\.track addTags: 422 from .*: no such tag\.?$/m);
  });

  test('--write asks before a request, and without a terminal it needs --yes', async () => {
    await using staged = await stage();
    const ended = await staged.run('check', '--write', 'me@example.com');
    expect(ended).toMatchObject(
      endedWith(2, 'Nothing was written, because there is no terminal to ask on. Add --yes.\n'),
    );
    expect(staged.sandbox.requests.count()).toBe(0);
  });

  test('--write reports a service in which a repeated call creates another contact', async () => {
    const people: object[] = [];
    const ended = await checkAgainst(
      {
        '/contact': () => people,
        '/api/v1/contact/identify': () => {
          const id = `contact_6FTlZRplI6n5xQpEdKGSZ${people.length}`;
          people.push({ ...contact, id });
          return { status: 'success', message: '' };
        },
      },
      ...['--write', contact.email, '--yes'],
    );
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toMatch(/^failed legacy\.identify: the second call .* created another one$/m);
  });

  test('reports a wrong key with exit code 2, after one request', async () => {
    await using staged = await stage();
    const ended = await staged.runWith({ EMAIL_MARKETING_API_KEY: 'wrong-key' }, 'check');
    expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('failed key: ') });
    expect(ended.stdout).not.toContain('wrong-key');
    expect(staged.sandbox.requests.count()).toBe(1);
  });

  test('lists each difference from the documentation once, by types and without data', async () => {
    const customFields = { 'field_Ada Byron': 7 };
    const people = [
      { ...contact, ltv: '12', customFields, company: undefined },
      { ...contact, id: 'contact_mak14SWw4oC8b2PEA0fNch', ltv: '13', tags: null },
    ];
    const { code, stdout, requests } = await checkAgainst({ '/contact': people });
    expect(code).toBe(0);
    const found = stdout.split('\n').filter(line => line.startsWith('difference '));
    expect(found.sort()).toEqual(
      [
        /^difference in contacts\.list at \[\]\.company: expected .*, got undefined$/,
        /^difference in contacts\.list at \[\]\.customFields\.\*: expected .*, got number$/,
        /^difference in contacts\.list at \[\]\.ltv: expected .*, got string$/,
        /^difference in contacts\.list at \[\]\.tags: expected .*, got null$/,
      ].map(line => expect.stringMatching(line)),
    );
    expect(stdout).not.toMatch(/Ada|Byron|secret-1/);
    expect(requests.every(request => request.startsWith('GET '))).toBe(true);
  });

  test('reports if the search parameter has another name, and passes if the environment names it', async () => {
    await using staged = await stage({
      seed: { contacts: 3 },
      ambiguities: { contactSearchParameter: 'q' },
    });
    const { code, stdout } = await staged.run('check');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^difference in contacts\.list at \[\]: expected contacts that contain the searched text, got others$/m,
    );
    expect(stdout).toContain('Set EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER to that name.');
    const named = { EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER: 'q' };
    expect(await staged.runWith(named, 'check')).toMatchObject({ code: 0 });
  });

  test('prints the report as JSON, with a status for each check and each operation', async () => {
    const bodies = { '/sender': [{ id: 'sender_a', name: 1 }], '/contact': [contact] };
    const { stdout, code } = await checkAgainst(bodies, '--json');
    const { checks, operations, differences } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(checks).toEqual([
      { id: 'address', status: 'ok', detail: expect.any(String) },
      { id: 'key', status: 'ok', detail: expect.any(String) },
      { id: 'team', status: 'unchecked', detail: expect.any(String) },
    ]);
    expect(operations).toEqual([
      { id: 'lists.list', status: 'ok', records: 0 },
      { id: 'contacts.list', status: 'ok', records: 1 },
      { id: 'contacts.list?search', status: 'ok', records: 1 },
      { id: 'postTags.list', status: 'ok', records: 0 },
      { id: 'senders.list', status: 'differs', records: 1 },
    ]);
    expect(differences).toContainEqual({
      operation: 'senders.list',
      path: '[].name',
      expected: 'a string',
      received: 'number',
    });
  });

  const notFound = { status: 'error', message: 'resource not found' };
  const gateway = '<h1>No</h1>';

  test.each<[what: string, target: FaultTarget, fault: Failure, code: number, printed: RegExp]>([
    [
      '"not found" of the service',
      '*',
      { status: 404, body: notFound },
      2,
      /^failed address: lists\.list: 404 /m,
    ],
    ["a gateway's 404", '*', { status: 404, body: gateway }, 2, /^failed address: lists\.list: 404 /m],
    ["a gateway's 403", '*', { status: 403, body: gateway }, 2, /^failed address: lists\.list: 403 /m],
    [
      'an object',
      '*',
      { status: 200, body: { ok: true } },
      2,
      /^failed address: .*expected an array, got object\./m,
    ],
    ['nothing', '*', { status: 200, body: '' }, 2, /^failed address: lists\.list: .*was cut off/m],
    ...[403, 500].map((status): [string, FaultTarget, Failure, number, RegExp] => [
      "a gateway's page",
      'lists.list',
      { status, body: gateway },
      1,
      new RegExp(`^ok address: .*^ok key: .*^failed lists\\.list: ${status} `, 'ms'),
    ]),
  ])('if %s is the response to %s, says what that means: %j', async (_, target, fault, code, printed) => {
    await using staged = await stage({ seed: { contacts: 1 } });
    staged.sandbox.fail(target, fault);
    const ended = await staged.run('check');
    expect(ended).toMatchObject({ code, stdout: expect.stringMatching(printed) });
    if (code !== 2) return;
    expect(ended.stdout).toMatch(/^unchecked key: will be checked once the address works$/m);
    expect(ended.stdout).not.toContain('difference');
  });
});
