// An endpoint that takes a list and responds with one entry an item: an operation that exists only here.
import { expect, test, vi } from 'vitest';
import type { Operation } from '../../src/api/operation.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage, readReply } from './page.ts';

const { row, createMany } = vi.hoisted(() => {
  const row = { api: 'rest', method: 'POST', path: '/tag/batch', inputIn: 'body', kind: 'create' } as const;
  const createMany: Operation<readonly object[]> = {
    ...row,
    name: 'tags.createMany',
    input: { validateInput: value => ({ ok: true, value: value as readonly object[] }) },
    output: { parseResponse: (value: unknown) => ({ ok: true as const, value, drift: [] }) },
  };
  return { row, createMany };
});

vi.mock('../../src/resources/endpoints.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../src/resources/endpoints.ts')>();
  const operationNames = [...original.operationNames, createMany.name];
  return { ...original, endpoints: { ...original.endpoints, [createMany.name]: row }, operationNames };
});

vi.mock('../../src/resources/operation-types.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../src/resources/operation-types.ts')>();
  return { ...original, operations: { ...original.operations, [createMany.name]: createMany } };
});

const results = [
  { id: 'tag_1', name: 'vip', owner: 'PRIVATE' },
  { id: 'tag_2', name: 'new', owner: 'PRIVATE' },
];

const call = '{"operation":"tags.createMany","input":[{"name":"vip"},{"name":"new"}]}';
const headers = { 'x-call-id': '0123456789abcdef'.repeat(2) };

test('a list arrives as a list, once, and a page gets id and name of each entry', async () => {
  const fetch = vi.fn(async (_url: string, _init: { body?: unknown }) => Response.json(results));
  const allow = [createMany.name as 'tags.create'];
  const { send } = makePage({ allow, authorize: (_, { input }) => ({ input }) }, createSandbox(), { fetch });
  const first = await readReply(await send(call, { headers }));
  const data = [
    { id: 'tag_1', name: 'vip' },
    { id: 'tag_2', name: 'new' },
  ];
  expect(first).toEqual({ status: 200, body: { data } });
  expect(await readReply(await send(call, { headers }))).toEqual(first);
  expect(fetch.mock.calls.map(([, { body }]) => body)).toEqual(['[{"name":"vip"},{"name":"new"}]']);
});
