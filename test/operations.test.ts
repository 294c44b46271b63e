// The parts of an operation: the test names those that one lacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../src/client/endpoints.ts';
import { EmailMarketingClient } from '../src/index.ts';
import { operations as table } from '../src/resources/operations.ts';
import { operationNames } from '../src/testing/service/router.ts';
import { AnyService } from './any-service/any-service.ts';
import { checkEveryOperation } from './any-service/calls.ts';
import { rows } from './endpoints.ts';

/** Methods that call `list`. */
const byList = ['all', 'findByEmail'];

/** Names of the methods of every resource of a client, such as `tags.create`. */
function methodNames(): readonly string[] {
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  return Object.entries(client).flatMap(([resource, methods]) =>
    Object.keys(methods)
      .filter(method => !byList.includes(method))
      .map(method => `${resource}.${method}`),
  );
}

test.each(rows)('the pages of $name are at most as large as documented', ({ name, fields }) => {
  const { pageSizes } = { pageSizes: undefined, ...table[name] };
  expect(fields.query?.limit).toEqual(pageSizes && { type: 'integer', minimum: 1, maximum: pageSizes[0] });
});

/** Names of the operations that are called over any service. */
async function checkedNames(): Promise<readonly string[]> {
  const titles: string[] = [];
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  await checkEveryOperation(new AnyService(1), client, async title => void titles.push(title));
  return titles.map(title => title.replace(/ .*/, ''));
}

const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');

/** Each part of an operation, with the names of the operations that have it. */
const edits: Readonly<Record<string, readonly string[]>> = {
  'endpoint in src/client/endpoints.ts': Object.keys(endpoints),
  'method in src/resources': methodNames(),
  'handler in src/testing/service': operationNames,
  'call in test/any-service/calls.ts': await checkedNames(),
  'row in test/endpoints.ts': rows.map(({ name }) => name),
};

const names = new Set(Object.values(edits).flat());

test.each([...names])(
  '%s has an operation, a method, a handler, a row, a call over any service and a sentence in the changelog',
  name => {
    const missing = Object.keys(edits).filter(edit => !edits[edit]?.includes(name));
    if (!changelog.includes(`\`client.${name}`)) missing.push(`\`client.${name}\` in CHANGELOG.md`);
    expect(missing).toEqual([]);
  },
);
