import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type ContactSeed,
  createSandbox,
  type FaultTarget,
  type SandboxOptions,
} from '../../src/testing/index.ts';
import { decideAmbiguities } from '../../src/testing/sandbox-options.ts';
import { controls } from '../../src/testing/server/controls.ts';
import { errorKinds } from '../../src/testing/service/error-response.ts';

describe('createSandbox', () => {
  const throws = (options: unknown, message: string | RegExp) => {
    const create = () => createSandbox(options as SandboxOptions);
    expect(create).toThrow(RangeError);
    expect(create).toThrow(message);
  };

  test.each([
    [{ seeds: 3 }, /^unknown option "seeds"; valid: apiKey, /],
    [{ apiKey: 'a\nb' }, /apiKey must be a string of printable ASCII characters/],
    [{ ambiguities: [] }, 'ambiguities must be an object'],
    [{ maxLoggedRequests: 1.5 }, /maxLoggedRequests must be a whole number from 1/],
    [{ now: 5 }, 'now must be a function (got 5)'],
    [{ snapshot: { contacts: [{ email: 5 }] } }, 'contacts[0]: email must be an email address'],
    ['contacts', 'options must be an object (got string)'],
  ])('throws for the options %j a RangeError that names what is wrong', throws);

  test.each([
    [{ contact: 5 }, /^unknown kind of record in seed "contact"; valid: customFields, /],
    [{ contacts: -1 }, /seed\.contacts must be a number of records \(0 or more\)/],
    [{ contacts: ['a@x.test'] }, 'seed.contacts[0]: a contact must be an object'],
    [
      { contacts: [{ email: 'a@x.test' }, { email: 'b@x.test', first_name: 'Bo' }] },
      /^seed\.contacts\[1\]: unknown field of a contact "first_name"; valid: id, email, firstName, /,
    ],
  ])('throws for the seed %j a RangeError that names what is wrong', (seed, message) =>
    throws({ seed }, message),
  );

  test.each([
    [{ errorStatus: { unknwon: 404 } }, /^unknown error in errorStatus "unknwon"; valid: unauthorized, /],
    [{ errorStatus: { unknown: 99 } }, /errorStatus\.unknown must be a whole number from 200 to 599/],
    [{ order: 'nonsense' }, 'ambiguities.order must be one of oldest-first, newest-first (got "nonsense")'],
    [{ contactPageCap: -1 }, /ambiguities\.contactPageCap must be a whole number from 1 to \d+ \(got -1\)/],
    [{ overcap: 'cap' }, /^unknown ambiguity "overcap"; valid: contactPageCap, /],
  ])('throws for the ambiguities %j a RangeError that names what is wrong', (ambiguities, message) =>
    throws({ ambiguities }, message),
  );

  test('ignores options and fields of a seed that are undefined', () => {
    const contacts = [{ email: 'a@x.test', firstName: undefined }] as unknown as ContactSeed[];
    const { apiKey, state } = createSandbox({ apiKey: undefined, seed: { contacts } });
    expect([apiKey, state.contacts.all[0]?.firstName]).toEqual(['sandbox-key', '']);
  });
});

describe('an invalid fault', () => {
  const sandbox = createSandbox();
  test.each([
    ['POST /tags', {}, /^unknown operation "POST \/tags"; valid: \*, /],
    ['*', { retryafter: 1 }, /^unknown option of fail "retryafter"; valid: when, /],
    ['*', { retryAfter: '1\r\nx: y' }, 'fail: retryAfter must be a number of seconds'],
    ['*', { retryAfter: 'soon' }, /^fail: retryAfter must be .+ or an HTTP date \(got "soon"\)$/],
    ['*', { retryAfter: 'soon 5' }, /^fail: retryAfter must be .+ or an HTTP date \(got "soon 5"\)$/],
    ['*', { retryAfter: -1 }, /^fail: retryAfter must be a number of seconds .+ or an HTTP date \(got -1\)$/],
    ['*', { status: 600 }, 'fail: status must be an HTTP status from 200 to 599 (got 600)'],
    ['*', { after: -1 }, 'fail: after must be a whole number from 0 (got -1)'],
    ['*', { when: 'tags' }, 'fail: when must be a function, or an object of members to match (got "tags")'],
    ['*', { times: 0 }, 'fail: times must be a whole number from 1, or Infinity (got 0)'],
    ['*', { headers: { 'x-a': 'b\nc' } }, 'fail: headers must be'],
    ['*', { when: { bdy: 1 } }, /^unknown member of when "bdy"; valid: number, time, endpoint, .*, query, /],
    ['*', { when: { status: 200 } }, /^unknown member of when "status"; valid: number, /],
    [
      '*',
      { when: { body: 'x' } },
      'fail: when.body must be an object or array; to match text, use a function (got "x")',
    ],
    ['*', { when: { query: { limit: 30 } } }, 'fail: when.query must be an object of strings (got object)'],
  ])('of %s throws: %o', (operation, failure, message) => {
    expect(() => sandbox.fail(operation as FaultTarget, failure as object)).toThrow(message);
    expect(sandbox.faults()).toEqual([]);
  });

  test.each([
    [3e9, '3000000000'],
    ['200', '"200"'],
    [undefined, 'undefined'],
  ])('with the delay %j throws', (delay, received) => {
    expect(() => sandbox.latency('*', delay as number)).toThrow(
      `latency: ms must be a number of milliseconds from 0 to 2147483647 (got ${received})`,
    );
  });
});

const read = (file: string) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
const guide = read('sandbox.md');
const rules = read('service-rules.md');

/** Returns the cells of each row of a document's table with this heading. */
function table(document: string, heading: string): string[][] {
  const lines = document.split('\n');
  const start = lines.findIndex(line => line.startsWith(`| ${heading} |`)) + 2;
  const length = lines.slice(start).findIndex(line => !line.startsWith('|'));
  return lines.slice(start, start + length).map(line =>
    line
      .split('|')
      .map(cell => cell.trim())
      .slice(1, -1),
  );
}

const plain = (cell = '') => cell.replaceAll('`', '');

test('the rules list each ambiguity with its default, and no other', () => {
  const { errorStatus: _, ...ambiguities } = decideAmbiguities({});
  const documented = table(rules, 'option | question').map(([name, , value]) => [plain(name), plain(value)]);
  const defaults = Object.entries(ambiguities).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
  ]);
  expect(Object.fromEntries(documented)).toEqual({ ...Object.fromEntries(defaults), errorStatus: 'below' });
});

test('the guide has a curl command for each control, except those of the web page, and no other', () => {
  const commands = table(guide, 'JavaScript | HTTP').flatMap(([, cell = '']) => [
    ...cell.matchAll(/`curl (.+?)`/g),
  ]);
  const documented = commands.map(([, command = '']) => {
    const [, method = / -T /.test(command) ? 'PUT' : / -d /.test(command) ? 'POST' : 'GET'] =
      /-X (\w+)/.exec(command) ?? [];
    const [, name] = /\$S\/(\w+)/.exec(command) ?? [];
    return `${method} ${name}`;
  });
  const ofThePage = ['GET view'];
  const names = Object.keys(controls).filter(name => !ofThePage.includes(name));
  expect(names.toSorted()).toEqual([...new Set(documented)].toSorted());
});

test('the rules list each error with its status, and no other', () => {
  const documented = table(rules, 'error | status').map(([name, status]) => [plain(name), Number(status)]);
  const statuses = Object.entries(errorKinds).map(([name, [status]]) => [name, status]);
  expect(documented).toEqual(expect.arrayContaining(statuses));
  expect(documented).toHaveLength(statuses.length);
});
