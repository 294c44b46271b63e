// The option `schema` of `client.request`: a Standard Schema that checks and transforms the response.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EmailMarketingClient, type StandardSchema } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { errorOf, failureOf } from './support.ts';

interface Contact {
  email: string;
  ltv: number;
}

/** A schema without a library. In the standard, a path may consist of objects with a `key`. */
const byHand: StandardSchema<Contact> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: value => {
      const contact = value as Contact;
      const issues = [{ message: `${contact.ltv}`, path: [{ key: 'ltv' }], expected: 'number' }];
      return typeof contact.ltv === 'number' ? { value: contact } : { issues };
    },
  },
};

const schemas: readonly (readonly [library: string, schema: StandardSchema<Contact>])[] = [
  ['zod', z.object({ email: z.string(), ltv: z.number() })],
  ['no library', byHand],
];

/** Makes a schema of a `validate` function. */
const made = (validate: () => unknown) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchema;

/** Makes a schema that throws a value. */
const throwing = (value: unknown) =>
  made(() => {
    throw value;
  });

const request = { method: 'GET', path: '/contact/{id}', params: { id: 'contact_1' } } as const;

/** Requests this body of a sandbox, with a schema for it. */
function requested<Output>(body: unknown, schema: StandardSchema<Output>) {
  const sandbox = createSandbox();
  sandbox.on(`${request.method} ${request.path}`, () => ({ body }));
  const client = new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off' });
  return client.request({ ...request, schema });
}

describe.each(schemas)('a schema of %s', (_, schema) => {
  test('returns its output as the result', async () => {
    const contact = { email: 'ada@x.test', ltv: 3 };
    expect(await requested(contact, schema)).toEqual(contact);
  });

  test('rejects with the path and the type of each mismatch, but not with its value', async () => {
    const error = await errorOf(requested({ email: 'ada@x.test', ltv: 'private' }, schema));
    const message = expect.stringMatching(/^ltv must be .*number.* \(got string\)\.$/);
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      operation: 'GET /contact/{id}',
      outcome: 'done',
      issues: [{ path: 'ltv', expected: expect.stringContaining('number'), received: 'string', message }],
    });
    expect(error.message).toMatch(/\. Check the schema and the response\.$/);
    expect(JSON.stringify(error) + String(error)).not.toContain('private');
  });
});

test('an asynchronous schema is awaited', async () => {
  const schema = z.object({ email: z.string().refine(async email => email !== 'taken@x.test') });
  expect(await requested({ email: 'ada@x.test' }, schema)).toEqual({ email: 'ada@x.test' });
  expect(await failureOf(requested({ email: 'taken@x.test' }, schema))).toMatchObject({
    issues: [{ path: 'email', expected: 'valid according to the schema', received: 'string' }],
  });
});

test('an issue without a path concerns the whole response', async () => {
  const schema = made(() => ({ issues: [{ message: 'private' }] }));
  const message = 'body must be valid according to the schema (got array).';
  const issue = { path: '', expected: 'valid according to the schema', received: 'array', message };
  expect(await errorOf(requested([], schema))).toMatchObject({ issues: [issue] });
});

const broken = Object.assign(new TypeError('broken sandbox-key'), { name: 'sandbox-key' });

test.each<[string, StandardSchema, string, string]>([
  ['throws', throwing(broken), '[redacted]', 'broken [redacted]'],
  ['rejects', made(() => Promise.reject(broken)), '[redacted]', 'broken [redacted]'],
  ['throws a text', throwing('broken sandbox-key'), 'Error', 'broken [redacted]'],
])(
  'a schema that %s leads to an error of the library with the cause, but without the key',
  async (_, schema, name, message) => {
    const error = await failureOf(requested({}, schema));
    expect(error).toMatchObject({
      name: 'EmailMarketingError',
      outcome: 'done',
      operation: 'GET /contact/{id}',
      message: 'GET /contact/{id}: the schema threw an error (see cause).',
    });
    const { cause } = error as { cause: Error };
    expect(cause).toBeInstanceOf(Error);
    expect([cause.name, cause.message]).toEqual([name, message]);
    expect(cause.stack).not.toContain('sandbox-key');
  },
);
