import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

describe('createSandbox', () => {
  test.each([
    [{ seeds: 3 }, 'unknown option "seeds"; did you mean "seed"?'],
    [{ apikey: 'k' }, 'unknown option "apikey"; did you mean "apiKey"?'],
    [{ seed: { contact: 5 } }, 'unknown kind of record in seed "contact"; did you mean "contacts"?'],
    [{ seed: { contacts: -1 } }, /seed\.contacts must be a number of records from 0/],
    [{ errorStatus: { unknwon: 404 } }, 'unknown error in errorStatus "unknwon"; did you mean "unknown"?'],
    [{ errorStatus: { unknown: 99 } }, /errorStatus\.unknown must be a whole number from 200 to 599/],
    [{ order: 'nonsense' }, 'order must be oldest-first or newest-first (got "nonsense")'],
    [{ contactPageCap: -1 }, /contactPageCap must be a whole number from 1 to \d+ \(got -1\)/],
    [{ successStatus: 99_999 }, 'successStatus must be a whole number from 200 to 299 (got 99999)'],
    [{ uniqueNames: ['tags'] }, /uniqueNames must be some of domain, tag, list, postCategory/],
    [{ trackData: 'yes' }, 'trackData must be true or false (got "yes")'],
    [{ apiKey: 'a\nb' }, /apiKey must be text of printable ASCII characters/],
    [{ baseUrl: 'api.example.com' }, /baseUrl must be an http or https URL/],
    [{ corsOrigins: ['http://localhost:5173/app'] }, /corsOrigins must be an array of origins/],
    [{ journalBytes: 1.5 }, /journalBytes must be a whole number from 0/],
    [{ now: 5 }, 'now must be a function (got 5)'],
  ])('rejects %j by the name of the option', (options, message) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(RangeError);
    expect(() => createSandbox(options as SandboxOptions)).toThrow(message);
  });

  test('an option that is undefined counts as not given', () => {
    expect(createSandbox({ apiKey: undefined, seed: undefined }).apiKey).toBe('sandbox-key');
  });

  test('listen rejects an option by name', async () => {
    const options = { hosts: '0.0.0.0' } as object;
    await expect(createSandbox().listen(0, options)).rejects.toThrow(
      'unknown option of listen "hosts"; did you mean "host"?',
    );
  });
});

describe('an impossible fault', () => {
  const sandbox = createSandbox();
  test.each([
    ['tag.create', {}, 'unknown operation "tag.create"; did you mean "tags.create"?'],
    ['POST /tags', {}, 'unknown operation "POST /tags"; did you mean "POST /tag"?'],
    ['*', { retryafter: 1 }, 'unknown option of fail "retryafter"; did you mean "retryAfter"?'],
    ['*', { retryAfter: '1\r\nx: y' }, /fail: retryAfter must be seconds from 0, or an HTTP date/],
    ['*', { status: 600 }, 'fail: status must be an HTTP status from 200 to 599 (got 600)'],
    ['*', { headers: { 'x-a': 'b\nc' } }, /fail: headers must be/],
  ])('%s %j is rejected', (operation, failure, message) => {
    expect(() => sandbox.fail(operation, failure as object)).toThrow(message);
    expect(sandbox.faults()).toEqual([]);
  });

  test('with a body that JSON cannot hold is rejected', () => {
    expect(() => sandbox.fail('*', { body: 5n })).toThrow(
      /fail: body must be text, or a value that JSON can hold/,
    );
  });

  test('a wait longer than a timer supports', () => {
    expect(() => sandbox.latency('*', 3e9)).toThrow(
      /latency: ms must be a number of milliseconds from 0 to 2147483647/,
    );
    expect(() => sandbox.latency('*', { ms: 2 ** 31 - 1, jitterMs: 1 })).toThrow(/together/);
  });
});

test('refuses options that are no object', () => {
  expect(() => createSandbox(null as never)).toThrow('createSandbox: the options must be an object');
});
