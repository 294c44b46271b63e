import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { EmailMarketingClient, InvalidResponseError, type StandardSchema } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { failure, makeClient, useTestService } from '../support/test-service.ts';

useTestService();

interface Contact {
  email: string;
  ltv: number;
}

/** A schema without a library. The standard allows an issue's path to consist of objects with a `key`. */
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

const path = '/contact/{id}';
const params = { id: 'contact_1' };

/** Makes a client of a sandbox that responds to `GET /contact/{id}` with this body. */
function clientFor(body: unknown) {
  const sandbox = createSandbox();
  sandbox.on('GET', path, () => ({ body }));
  return new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off' });
}

/** Returns the error of a call whose response does not match its schema. */
async function mismatch(body: unknown, schema: StandardSchema): Promise<InvalidResponseError> {
  const error = await failure(clientFor(body).request({ method: 'GET', path, params, schema }));
  if (InvalidResponseError.isInstance(error)) return error;
  throw new Error('another error', { cause: error });
}

describe.each(schemas)('a schema of %s', (_, schema) => {
  test('makes its output the result', async () => {
    const result = await clientFor({ email: 'ada@x.test', ltv: 3 }).request({
      method: 'GET',
      path,
      params,
      schema,
    });
    expect(result).toEqual({ email: 'ada@x.test', ltv: 3 });
  });

  test('rejects with the path and the type of each mismatch, never with a value', async () => {
    const error = await mismatch({ email: 'ada@x.test', ltv: 'private' }, schema);
    expect(error).toMatchObject({ operation: 'GET /contact/{id}', outcome: 'done' });
    expect(error.issues).toEqual([
      { path: 'ltv', expected: expect.stringContaining('number'), received: 'string' },
    ]);
    expect(JSON.stringify([error, error.issues]) + String(error)).not.toContain('private');
  });

  test('is applied with `validation: "off"` too', async () => {
    const client = clientFor({ email: 5 }).withOptions({ validation: 'off' });
    const error = await failure(client.request({ method: 'GET', path, params, schema }));
    expect(error).toMatchObject({ name: 'InvalidResponseError' });
  });
});

test('an endpoint that the sandbox does not have responds 404', async () => {
  const client = new EmailMarketingClient({ ...createSandbox().clientOptions, logLevel: 'off' });
  const [, schema] = schemas[0] ?? [];
  expect(await failure(client.request({ method: 'GET', path, params, schema }))).toMatchObject({
    name: 'NotFoundError',
    status: 404,
  });
});

test('the output of the schema, transformed, is the result', async () => {
  const schema = z.object({ created: z.string().transform(text => new Date(text)) });
  const result = await clientFor({ created: '2025-01-01T00:00:00Z' }).request({
    method: 'GET',
    path,
    params,
    schema,
  });
  expectTypeOf(result).toEqualTypeOf<{ created: Date }>();
  expect(result.created).toEqual(new Date('2025-01-01T00:00:00Z'));
});

test('an asynchronous schema is awaited', async () => {
  const schema = z.object({ email: z.string().refine(async email => email !== 'taken@x.test') });
  const call = (email: string) => clientFor({ email }).request({ method: 'GET', path, params, schema });
  expect(await call('ada@x.test')).toEqual({ email: 'ada@x.test' });
  expect(await failure(call('taken@x.test'))).toMatchObject({
    issues: [{ path: 'email', expected: 'valid by the schema (custom)', received: 'string' }],
  });
});

test('an asynchronous schema that never ends is bounded by totalTimeout and by the signal', async () => {
  const schema: StandardSchema = {
    '~standard': { version: 1, vendor: 'test', validate: () => new Promise(() => {}) },
  };
  const call = (options: object) =>
    clientFor({}).request({ method: 'GET', path, params, schema }, { ...options });
  expect(await failure(call({ totalTimeout: 300 }))).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    outcome: 'done',
  });
  const controller = new AbortController();
  const aborted = failure(call({ signal: controller.signal }));
  setTimeout(() => controller.abort('enough'), 100);
  expect(await aborted).toBe('enough');
});

test('paths of nested members are written as code has them', async () => {
  const schema = z.array(z.object({ 'a b': z.object({ c: z.number() }) }));
  const error = await mismatch([{ 'a b': { c: 1 } }, { 'a b': { c: null } }], schema);
  expect(error.issues).toEqual([{ path: '[1].a b.c', expected: 'number', received: 'null' }]);
});

test('an issue without a path and a code is that of the whole', async () => {
  const error = await mismatch(
    [],
    made(() => ({ issues: [{ message: 'private' }] })),
  );
  expect(error.issues).toEqual([{ path: '', expected: 'valid by the schema', received: 'array' }]);
});

test('at most 100 issues are reported', async () => {
  const error = await mismatch(
    Array.from({ length: 300 }, () => 'x'),
    z.array(z.number()),
  );
  expect(error.issues).toHaveLength(100);
});

/** A schema whose `validate` is this function. */
const made = (validate: () => unknown) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchema;

const throwing = (text: string) => () => {
  throw new TypeError(text);
};

test.each<[string, () => unknown]>([
  ['throws', throwing('broken sandbox-key')],
  ['rejects', async () => throwing('broken sandbox-key')()],
])('a schema that %s is an error of the library with the cause, without the key', async (_, validate) => {
  const call = clientFor({}).request({ method: 'GET', path, params, schema: made(validate) });
  const error = await failure(call);
  expect(error).toMatchObject({
    name: 'EmailMarketingError',
    outcome: 'done',
    operation: 'GET /contact/{id}',
    message: 'GET /contact/{id}: the schema failed (see cause).',
  });
  const { cause } = error as { cause: Error };
  expect([cause.name, cause.message]).toEqual(['TypeError', 'broken [redacted]']);
  expect(cause.stack).not.toContain('sandbox-key');
});

test('a schema that throws no error is quoted in the cause, without the key', async () => {
  const validate = () => {
    throw 'broken sandbox-key';
  };
  const call = clientFor({}).request({ method: 'GET', path, params, schema: made(validate) });
  const { cause } = (await failure(call)) as { cause: Error };
  expect([cause.name, cause.message]).toEqual(['Error', 'broken [redacted]']);
  expect(cause.stack).not.toContain('sandbox-key');
});

test.each<[string, unknown]>([
  ['an object without a prototype', Object.create(null)],
  [
    'an error whose message cannot be read',
    Object.defineProperty(new Error('x'), 'message', { get: throwing('in a getter') }),
  ],
  ['an error whose name is no text', Object.assign(new Error('x'), { name: Object.create(null) })],
])('a schema that throws %s is an error of the library', async (_, thrown) => {
  const validate = () => {
    throw thrown;
  };
  const call = clientFor({}).request({ method: 'GET', path, params, schema: made(validate) });
  const error = await failure(call);
  expect(error).toMatchObject({ name: 'EmailMarketingError', operation: 'GET /contact/{id}' });
  expect((error as Error).cause).toMatchObject({ name: 'Error', message: 'a value that cannot be read' });
});

test('a schema whose issues cannot be read is an error of the library', async () => {
  const issues = [Object.defineProperty({ message: '' }, 'path', { get: throwing('in a getter') })];
  const call = clientFor({}).request({ method: 'GET', path, params, schema: made(() => ({ issues })) });
  expect(await failure(call)).toMatchObject({
    name: 'EmailMarketingError',
    cause: { name: 'TypeError', message: 'in a getter' },
  });
});

test('a schema that takes longer than `totalTimeout` ends the call', async () => {
  const schema = made(() => new Promise(() => {}));
  const call = clientFor({}).request({ method: 'GET', path, params, schema }, { totalTimeout: 50 });
  expect(await failure(call)).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    phase: 'body',
    outcome: 'done',
    message:
      'GET /contact/{id}: the response of sandbox.test did not end within 50 ms (totalTimeout). If that is too short, raise the option totalTimeout.',
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['issues that are no list', { issues: true }],
  ['an issue that is null', { issues: [null] }],
  ['a path that is no list', { issues: [{ message: 'x', path: 5 }] }],
  ['a key that is null', { issues: [{ message: 'x', path: [null] }] }],
])('a schema that returns %s is an error of the library', async (_, result) => {
  for (const validate of [() => result, async () => result]) {
    const call = clientFor({ a: 1 }).request({ method: 'GET', path, params, schema: made(validate) });
    expect(await failure(call)).toMatchObject({ outcome: 'done', operation: 'GET /contact/{id}' });
  }
});

test('the type of the result is that of the schema, that of a type argument, or unknown', () => {
  const compiled = async () => {
    const client = makeClient();
    const request = { method: 'GET', path: '/contact' } as const;
    const byZod = await client.request({ ...request, schema: z.object({ a: z.string().default('') }) });
    expectTypeOf(byZod).toEqualTypeOf<{ a: string }>();
    const withoutLibrary = await client.request({ ...request, schema: byHand });
    expectTypeOf(withoutLibrary).toEqualTypeOf<Contact>();
    expectTypeOf(await client.request(request)).toBeUnknown();
    expectTypeOf(await client.request<Contact>(request)).toEqualTypeOf<Contact>();
    // @ts-expect-error -- the type of a variable says nothing about a response
    const unchecked: Contact = await client.request(request);
    // @ts-expect-error -- the schema has another output
    client.request<Contact>({ ...request, schema: z.object({ a: z.string() }) });
    // @ts-expect-error -- there is no such option
    client.request({ ...request, qurey: {} });
    // @ts-expect-error -- a query holds no lists
    client.request({ ...request, query: { tags: ['a'] } });
    return unchecked;
  };
  expectTypeOf(compiled).toBeFunction();
});
