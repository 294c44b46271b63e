// The success of each operation, valid by docs/openapi.json: the response that its row in the table of tests contains, or is
// typed out here if it depends on what the sandbox holds.
import { expect, test } from 'vitest';
import type { OperationName } from '../../src/index.ts';
import { createSandbox, type Seed } from '../../src/testing/index.ts';
import { contact, domain, rows } from '../endpoints.ts';
import { published, responseSchema, schemaChecks } from '../openapi/published.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { emptyContact, second, suffix } from '../support/specified-records.ts';
import { send } from './http.ts';

const { document, operations } = published();
const check = schemaChecks(document);

const time = '2025-12-22T09:04:10Z';
const text = expect.any(String);
const points = { [`custom_field_${suffix}`]: '10' };
const bob = { id: `contact_${second}`, email: 'bob@x.test' };
const full = {
  ...contact,
  unsubscribed: true,
  bounced: true,
  blocked: true,
  dropped: true,
  customFields: points,
};
const contacts: Seed = {
  customFields: [{ id: `custom_field_${suffix}`, name: 'points', type: 'number' }],
  lists: [{ id: `list_${suffix}`, name: 'News', type: 3 }],
  tags: [{ id: `tag_${suffix}`, name: 'vip' }],
  contacts: [{ ...full, birthday: '1815-12-10' }, bob],
};

/** A new domain: the members of the row, each of the same type, and no flag set. */
const newDomain = Object.entries(JSON.parse(domain) as object).map(([name, value]) => [
  name,
  typeof value === 'boolean' ? false : expect.any(Object(value).constructor),
]);

/** Responses that depend on what the sandbox stores or makes up, by operation. */
const others: Partial<Record<OperationName, unknown>> = {
  'contacts.list': [full, { ...emptyContact, ...bob, created: time, updated: time, contactSource: 1 }],
  'domains.create': { ...Object.fromEntries(newDomain), name: 'mail.example.com', updated: 0 },
};

/** Returns the success of an operation. A new record has its own id and times, and the wording of messages is free. */
function expectedOf({ name, method, returns, response }: NamedRow): unknown {
  if (others[name] !== undefined) return others[name];
  if (method === 'GET') return response;
  const { created, ...members } = response as Readonly<Record<string, unknown>>;
  if (returns === 'acknowledgement') return { ...members, message: text };
  if (returns === 'legacy result') return expect.objectContaining({ status: 'success', message: text });
  const [prefix] = `${members.id}`.split(/\w{22}$/);
  const id = expect.stringMatching(`^${prefix}[a-zA-Z0-9]{22}$`);
  return { ...members, id, created, updated: created };
}

test.each(rows)('$endpoint responds with every documented member and no other', async row => {
  const seed = row.name === 'contacts.list' ? contacts : (row.seed ?? {});
  const { ambiguities } = sandboxForEveryOperation;
  const sandbox = createSandbox({ ambiguities, seed, now: () => new Date('2025-12-22T09:04:10.123Z') });
  const query = new URLSearchParams(row.name === 'contacts.list' ? '' : row.query);
  query.set('team_id', sandbox.teamId);
  const keys = { [row.authentication]: sandbox.apiKey };
  const [method = '', path = ''] = row.endpoint.split(' ');
  const { status, headers, body, text } = await send(sandbox, method, `${path}?${query}`, keys, row.body);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const described = operations.find(({ operation }) => operation.operationId === row.name);
  if (!described) throw new Error(`docs/openapi.json has no ${row.name}: run \`npm run generate\``);
  expect(check(responseSchema(described.operation, 200), body)).toBe('');
  expect(body).toEqual(expectedOf(row));
  if (row.name !== 'domains.create') return;
  // JavaScript rounds this time.
  expect(text).toMatch(/,"created":1766394250123\d{6},"updated":0}$/);
  const { id, dkim, dkimConfig } = body as { id: string; dkim: object; dkimConfig: string };
  expect(dkim).toMatchObject({ textValue: `k=rsa; p=sandbox${id.slice(-12)}` });
  const config = JSON.parse(dkimConfig);
  expect(Object.keys(config)).toEqual(['Domain', 'PubKey', 'PrivKey', 'Selector', 'Headers']);
});
