import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pretty } from '../../../../src/testing/ui/format.ts';
import { clientCodeOf, curlOf, type Snippet } from '../../../../src/testing/ui/snippets.ts';

const snippet = (fields: Partial<Snippet>): Snippet => ({
  method: 'POST',
  path: '/api/v1/rest/tag',
  query: {},
  headers: {},
  body: undefined,
  bodyText: '',
  operation: undefined,
  endpoint: undefined,
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
    {
      operation: 'tags.delete',
      endpoint: 'DELETE /tag/{identifier}',
      path: '/api/v1/rest/tag/tag_ABCDEFGHIJKLMNOPQRSTUV',
    },
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
    { operation: 'legacy.identify', body: JSON.parse('{"customFields":{"__proto__":"x"}}') },
    "await client.legacy.identify({ customFields: { ['__proto__']: 'x' } });",
  ],
  [
    { method: 'GET', path: '/api/v1/rest/contact/1', query: { a: 'b' } },
    "await client.request({ api: 'rest', method: 'GET', path: '/contact/1', query: { a: 'b' } });",
  ],
])('%j becomes client code', (fields, code) => {
  expect(clientCodeOf(snippet(fields))).toBe(code);
});

/** Returns the arguments of `curl` after its command is pasted into an interactive bash. */
function pastedArguments(command: string): readonly string[] {
  const script = `PS1=; PS2=; HISTFILE=; set -o history -o histexpand\ncurl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const printed = execFileSync('bash', ['--norc', '--noprofile', '-i'], {
    input: script,
    env: { ...process.env, EMAIL_MARKETING_API_KEY: 'from-env', EMAIL_MARKETING_TEAM_ID: 'team' },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return printed.split('\0').slice(0, -1);
}

// Windows has no such shell.
test
  .skipIf(process.platform === 'win32')
  .each([
    `{"name":"it's $HOME \`id\` \\"quoted\\" !!:0 !-1"}`,
    'two\nlines, a\ttab, \u001b[201~ an escape, \u009b and a bell\u0007, it\'s "!!" \\n',
  ])('an interactive shell runs the curl command without changing the body %j', body => {
  const command = curlOf(
    snippet({
      path: "/api/v1/contact/track/{a,b}[1-3]!!'",
      query: { 'a b!': "$(id)&'!!", team_id: '[redacted]' },
      headers: { 'x-own': "it's !!", 'x-empty': '', api_key: '[redacted]', host: 'h' },
      bodyText: body,
    }),
    'http://127.0.0.1:4010',
  );
  expect(pastedArguments(command)).toEqual([
    '-g',
    '-X',
    'POST',
    "http://127.0.0.1:4010/api/v1/contact/track/{a,b}[1-3]!!'?a%20b!=%24(id)%26'!!&team_id=team",
    '-H',
    "x-own: it's !!",
    '-H',
    'x-empty;',
    '-H',
    'api_key: from-env',
    '--data-raw',
    body,
  ]);
});

test('indents JSON and keeps every digit', () => {
  expect(pretty('{"created":1766394250613907001,"a":["x, {y}",{}],"b":{"c":null}}')).toBe(
    '{\n  "created": 1766394250613907001,\n  "a": [\n    "x, {y}",\n    {}\n  ],\n  "b": {\n    "c": null\n  }\n}',
  );
  expect(pretty('<html>')).toBe('<html>');
});
