import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf, type Repeated } from '../../../../src/testing/ui/curl.ts';
import { pretty, unixTime } from '../../../../src/testing/ui/format.ts';

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
  const request: Repeated = {
    method: 'POST',
    path: "/api/v1/contact/track/{a,b}[1-3]!!'",
    query: { 'a b!': "$(id)&'!!", team_id: '[redacted]' },
    headers: { 'x-own': "it's !!", 'x-empty': '', api_key: '[redacted]', host: 'h' },
    bodyText: body,
  };
  const command = curlOf(request, 'http://127.0.0.1:4010');
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

test('a body that is nested deeply, or is one long string, is indented in little time and memory', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(pretty(deep).length).toBeLessThan(deep.length * 120);
  const long = JSON.stringify({ text: '\\"x'.repeat(300_000) });
  expect(pretty(long)).toHaveLength(long.length + '\n  '.length + ' '.length + '\n'.length);
});

test('an event time that is not a valid date is shown in seconds', () => {
  expect(unixTime(1_700_000_000_000_000)).toBe('1700000000000000 s');
});
