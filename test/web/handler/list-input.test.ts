// An endpoint that takes a list and responds with one entry an item: an operation that exists only here.
import { expect, test, vi } from 'vitest';
import type { Operation } from '../../../src/service/operation.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import type { ProxyOptions } from '../../../src/web/handler/index.ts';
import { makePage, readReply } from './page.ts';

const { row, createMany } = vi.hoisted(() => {
  const row = { api: 'rest', method: 'POST', path: '/tag/batch', inputIn: 'body', kind: 'create' } as const;
  const isNamed = (item: unknown) => typeof Object(item).name === 'string';
  const createMany: Operation<readonly object[]> = {
    ...row,
    name: 'tags.createMany',
    input: {
      validateInput: value =>
        Array.isArray(value) && value.every(isNamed)
          ? { ok: true, value }
          : { ok: false, issues: [{ path: '[1].name', expected: 'text', received: 'number' }] },
    },
    output: { parseResponse: (value: unknown) => ({ ok: true as const, value, drift: [] }) },
  };
  return { row, createMany };
});

vi.mock('../../../src/resources/endpoints.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../../src/resources/endpoints.ts')>();
  const operationNames = [...original.operationNames, createMany.name];
  return { ...original, endpoints: { ...original.endpoints, [createMany.name]: row }, operationNames };
});

vi.mock('../../../src/resources/operations.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../../src/resources/operations.ts')>();
  return { ...original, operations: { ...original.operations, [createMany.name]: createMany } };
});

const results = [
  { id: 'tag_1', name: 'vip', owner: 'PRIVATE' },
  { id: 'tag_2', name: 'new', owner: 'PRIVATE' },
];

/** Serves the operation. `bodies` are what the service got. */
function serve(options: Partial<ProxyOptions> = {}) {
  const bodies: unknown[] = [];
  const fetch = async (_url: string, { body }: { body?: unknown }) => {
    bodies.push(body);
    return Response.json(results);
  };
  const allow = [createMany.name as 'tags.create'];
  return { ...makePage({ allow, ...options }, createSandbox(), { fetch }), bodies };
}

const call = '{"operation":"tags.createMany","input":[{"name":"vip"},{"name":"new"}]}';
const headers = { 'x-call-id': '0123456789abcdef'.repeat(2) };

test('a list arrives as a list, once, and a page gets id and name of each entry', async () => {
  const { send, bodies } = serve();
  const first = await readReply(await send(call, { headers }));
  const data = [
    { id: 'tag_1', name: 'vip' },
    { id: 'tag_2', name: 'new' },
  ];
  expect(first).toEqual({ status: 200, body: { data } });
  expect(await readReply(await send(call, { headers }))).toEqual(first);
  expect(bodies).toEqual(['[{"name":"vip"},{"name":"new"}]']);
});

test('a list that authorize returns is sent in place of that of the page', async () => {
  const { send, bodies } = serve({ authorize: () => ({ input: [{ name: 'vip' }] as never }) });
  expect((await readReply(await send(call, { headers }))).status).toBe(200);
  expect(bodies).toEqual(['[{"name":"vip"}]']);
});

test('a list with a mistake is rejected, and the issue names the item', async () => {
  const { send, bodies } = serve();
  const mistaken = call.replace('"new"', '5');
  expect(await readReply(await send(mistaken))).toMatchObject({
    status: 400,
    body: { error: { name: 'InvalidRequestError', issues: [{ path: '[1].name' }] } },
  });
  expect(bodies).toEqual([]);
});
