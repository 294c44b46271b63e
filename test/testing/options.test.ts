import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type ContactSeed,
  createSandbox,
  type FaultTarget,
  type SandboxOptions,
} from '../../src/testing/index.ts';
import { decideAmbiguities } from '../../src/testing/sandbox-options.ts';
import { controls } from '../../src/testing/server/controls.ts';
import { errorKinds } from '../../src/testing/service/error-response.ts';

test.each<[options: unknown, message: string | RegExp]>([
  [{ seeds: 3 }, 'Unknown option "seeds". Did you mean seed?'],
  [{ maxLoggedRequests: 1.5 }, 'maxLoggedRequests must be a whole number from 1 (got 1.5).'],
  [{ now: 5 }, 'now must be a function (got 5).'],
  [{ snapshot: { contacts: [{ email: 5 }] } }, /^contacts\[0\]: email must be an email address/],
  [{ seed: { contact: 5 } }, 'Unknown kind of record in seed "contact". Did you mean contacts?'],
  [{ seed: { contacts: -1 } }, /^seed\.contacts must be a number of records \(0 or more\)/],
  [{ seed: { contacts: ['a@x.test'] } }, 'seed.contacts[0]: A contact must be an object.'],
  [
    { seed: { contacts: [{ email: 'a@x.test' }, { email: 'b@x.test', first_name: 'Bo' }] } },
    'seed.contacts[1]: Unknown field of a contact "first_name". Did you mean firstName?',
  ],
  [{ ambiguities: { overcap: 'cap' } }, 'Unknown ambiguity "overcap". Did you mean overCap?'],
  [
    { ambiguities: { order: 'nonsense' } },
    'ambiguities.order must be one of oldest-first, newest-first (got "nonsense").',
  ],
  [
    { ambiguities: { contactPageCap: -1 } },
    'ambiguities.contactPageCap must be a whole number from 1 to 1000000 (got -1).',
  ],
  [{ ambiguities: { errorStatus: { unknown: 99 } } }, /errorStatus\.unknown must be .* from 200 to 599/],
])('the options %j throw a RangeError with the reason', (options, message) => {
  const create = () => createSandbox(options as SandboxOptions);
  expect(create).toThrow(RangeError);
  expect(create).toThrow(message);
});

test('options and fields of a seed that are undefined are ignored', () => {
  const contacts = [{ email: 'a@x.test', firstName: undefined }] as unknown as ContactSeed[];
  const { apiKey, state } = createSandbox({ apiKey: undefined, seed: { contacts } });
  expect([apiKey, state.contacts.all[0]?.firstName]).toEqual(['sandbox-key', '']);
});

test.each<[operation: string, fault: object, message: string | RegExp]>([
  ['POST /tags', {}, 'Unknown operation "POST /tags". Did you mean POST /tag?'],
  ['*', { retryafter: 1 }, 'Unknown option of fail "retryafter". Did you mean retryAfter?'],
  ['*', { retryAfter: -1 }, 'fail: retryAfter must be a number of seconds or an HTTP date (got -1).'],
  ['*', { status: 600 }, 'fail: status must be a whole number from 200 to 599 (got 600).'],
  ['*', { after: -1 }, 'fail: after must be a whole number from 0 (got -1).'],
  ['*', { times: 0 }, 'fail: times must be a whole number from 1, or Infinity (got 0).'],
  ['*', { headers: { 'x-a': 1 } }, 'fail: headers must be an object of strings (got object).'],
  ['*', { when: { bdy: 1 } }, 'Unknown member of when "bdy". Did you mean body?'],
  ['*', { when: { status: 200 } }, /^Unknown member of when "status"\. Known names: number, time, /],
  ['*', { when: { query: { limit: 30 } } }, 'fail: when.query must be an object of strings (got object).'],
])('a fault for %s with %j throws, and does not apply', (operation, fault, message) => {
  const sandbox = createSandbox();
  expect(() => sandbox.fail(operation as FaultTarget, fault)).toThrow(message);
  expect(sandbox.faults()).toEqual([]);
});

test.each([3e9, '200', undefined])('the latency %j throws', delay => {
  expect(() => createSandbox().latency('*', delay as number)).toThrow(
    'latency: ms must be a number of milliseconds from 0 to 2147483647 (got ',
  );
});

const read = (file: string) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');

/** Returns the cells of each row of a document's table with this heading. */
function table(document: string, heading: string): string[][] {
  const [, rows = ''] = read(document).split(`\n| ${heading} |`);
  const [, ...lines] = (rows.split('\n\n')[0] ?? '').split('\n').slice(1);
  return lines.map(line => line.split('|').map(cell => cell.trim().replace(/^`([^`]*)`$/, '$1')));
}

test('the rules list each ambiguity with its default, and no other', () => {
  const documented = table('service-rules.md', 'option | question').map(([, name, , value]) => [name, value]);
  const { errorStatus: _, ...ambiguities } = decideAmbiguities({});
  const defaults = Object.entries(ambiguities).map(([name, value]) => [name, String(value)]);
  expect(Object.fromEntries(documented)).toEqual({ ...Object.fromEntries(defaults), errorStatus: 'below' });
});

test('the rules list each error with its status, and no other', () => {
  const documented = table('service-rules.md', 'error | status').map(([, name, status]) => [name, status]);
  const statuses = Object.entries(errorKinds).map(([name, [status]]) => [name, String(status)]);
  expect(documented.sort()).toEqual(statuses.sort());
});

test('the guide has a curl command for each control, except the one of the web page', () => {
  const commands = table('sandbox.md', 'JavaScript | HTTP').flatMap(([, , cell = '']) => [
    ...cell.matchAll(/`?curl ([^`]+)`?/g),
  ]);
  const documented = commands.map(([, command = '']) => {
    const [, method = / -T /.test(command) ? 'PUT' : / -d /.test(command) ? 'POST' : 'GET'] =
      /-X (\w+)/.exec(command) ?? [];
    const [, name] = /\$S\/(\w+)/.exec(command) ?? [];
    return `${method} ${name}`;
  });
  // Only the web page needs the view.
  expect([...new Set([...documented, 'GET view'])].sort()).toEqual(Object.keys(controls).sort());
});
