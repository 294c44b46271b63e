// Every query parameter and every field of a body that is documented has an effect in the sandbox.
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { send } from './http.ts';

/** A value of each type, in the short form of `specified-fields.ts`, that no row of the table sends. */
const others: Readonly<Record<string, unknown>> = {
  string: 'other.example',
  'string(email)': 'other@example.com',
  'string(date)': '1991-01-02',
  'integer(int64)': 2,
  array: ['b'],
  map: { b: '1' },
};

/** Queries that differ from the first in one parameter each, by its name. A read needs none; what a write has is required. */
function queries(row: NamedRow): readonly [first: object, changed: Readonly<Record<string, object>>] {
  const { team_id: _, ...sent } = Object.fromEntries(new URLSearchParams(row.query));
  const first = row.method === 'GET' ? {} : sent;
  const change = (name: string, { type, format }: { type?: string; format?: string }) => {
    if (type === 'integer') return 1;
    return row.method === 'GET' ? sent[name] : others[`${type}(${format})`];
  };
  const parameters = Object.entries(row.fields.query ?? {});
  return [
    first,
    Object.fromEntries(
      parameters.map(([name, schema]) => [name, { ...first, [name]: change(name, schema) }]),
    ),
  ];
}

/** Bodies that differ from the first in one field each, by its name. */
function bodies(row: NamedRow): readonly [first: object | undefined, changed: Record<string, object>] {
  const first = row.body === undefined ? undefined : JSON.parse(row.body);
  const changed: Record<string, object> = {};
  for (const [field, type] of Object.entries(row.fields.body ?? {})) {
    const name = field.replace('?', '');
    changed[name] = { ...first, [name]: others[type] };
  }
  return [first, changed];
}

/** Returns what the sandbox responds with and what it stores, as text. */
async function effectOf(row: NamedRow, query: object, body?: object): Promise<string> {
  const sandbox = createSandbox({ ...sandboxForEveryOperation, now: () => new Date(0) });
  const keys = { 'X-Team-ApiKey': sandbox.apiKey, api_key: sandbox.apiKey };
  const search = new URLSearchParams({ team_id: sandbox.teamId, ...query });
  const { status, text } = await send(sandbox, row.method, `${row.path}?${search}`, keys, body);
  expect(status, text).toBe(200);
  const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  return text + JSON.stringify(sandbox.snapshot(), digits);
}

test.each(rows.filter(({ fields }) => fields.query || fields.body))(
  'every query parameter and field of $name has an effect',
  async row => {
    const [query, changedQueries] = queries(row);
    const [body, changedBodies] = bodies(row);
    const effect = await effectOf(row, query, body);
    const idle: string[] = [];
    for (const [name, changed] of Object.entries(changedQueries))
      if ((await effectOf(row, changed, body)) === effect) idle.push(`the query parameter ${name}`);
    for (const [name, changed] of Object.entries(changedBodies))
      if ((await effectOf(row, query, changed)) === effect) idle.push(`the field ${name}`);
    expect(idle).toEqual([]);
  },
);
