import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pretty } from '../../src/testing/ui/format.ts';
import { clientCodeOf, curlOf, type Snippet } from '../../src/testing/ui/snippets.ts';

const snippet = (fields: Partial<Snippet>): Snippet => ({
  method: 'POST',
  path: '/api/v1/rest/tag',
  query: {},
  headers: {},
  body: undefined,
  bodyText: '',
  operation: undefined,
  ...fields,
});

test.each<[Partial<Snippet>, string]>([
  [{ operation: 'tags.create', body: { name: "it's" } }, "await client.tags.create({ name: 'it\\'s' });"],
  [
    { operation: 'contacts.list', query: { limit: '5', search: 'ada' } },
    "await client.contacts.list({ limit: 5, search: 'ada' });",
  ],
  [{ operation: 'senders.list' }, 'await client.senders.list();'],
  [
    { operation: 'tags.delete', path: '/api/v1/rest/tag/tag_ABCDEFGHIJKLMNOPQRSTUV' },
    "await client.tags.delete('tag_ABCDEFGHIJKLMNOPQRSTUV');",
  ],
  [
    {
      operation: 'legacy.track',
      query: { email: 'a@x.test', team_id: '[redacted]' },
      body: { addTags: ['vip'] },
    },
    "await client.legacy.track({ email: 'a@x.test', addTags: ['vip'] });",
  ],
  [
    { operation: 'events.record', body: { name: 'a', identifier: 'a@x.test', data: { 'a-b': '1' } } },
    "await client.events.record({ name: 'a', identifier: 'a@x.test', data: { 'a-b': '1' } });",
  ],
  [
    { method: 'GET', path: '/api/v1/rest/contact/1', query: { a: 'b' } },
    "await client.request({ api: 'rest', method: 'GET', path: '/contact/1', query: { a: 'b' } });",
  ],
])('%j becomes client code', (fields, code) => {
  expect(clientCodeOf(snippet(fields))).toBe(code);
});

// Windows has no such shell.
test.skipIf(process.platform === 'win32')(
  'a shell takes the curl command as it is meant, whatever the request holds',
  () => {
    const body = `{"name":"it's $HOME \`id\` \\"quoted\\""}`;
    const command = curlOf(
      snippet({
        query: { 'a b': '$(id)&"' },
        headers: { 'x-own': "it's", api_key: '[redacted]', host: 'h' },
        bodyText: body,
      }),
      'http://127.0.0.1:4010',
    );
    const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], {
      env: { EMAIL_MARKETING_API_KEY: 'from-env' },
      encoding: 'utf8',
    });
    expect(printed.trimEnd().split('\n')).toEqual([
      '-X',
      'POST',
      'http://127.0.0.1:4010/api/v1/rest/tag?a%20b=%24(id)%26%22',
      '-H',
      "x-own: it's",
      '-H',
      'api_key: from-env',
      '--data-raw',
      body,
    ]);
  },
);

test('JSON is indented with every digit as it was sent', () => {
  expect(pretty('{"created":1766394250613907001,"a":["x, {y}",{}],"b":{"c":null}}')).toBe(
    '{\n  "created": 1766394250613907001,\n  "a": [\n    "x, {y}",\n    {}\n  ],\n  "b": {\n    "c": null\n  }\n}',
  );
  expect(pretty('<html>')).toBe('<html>');
});
