import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rest } from './http.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a state is saved to a JSON file and loaded from it, every kind of record and every digit', async () => {
  const kinds = { lists: 2, tags: 2, domains: 2, senders: 1, postTags: 1, postCategories: 1 };
  const seed = { contacts: 3, ...kinds, templates: 1, campaigns: 1, customFields: [{ name: 'plan' }] };
  const sandbox = createSandbox({ seed });
  await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'x', data: { k: 'v' } });
  const file = join(temporaryFolder(), 'state.json');
  await sandbox.save(file);
  const other = createSandbox({ seed: { contacts: 50 } });
  await other.load(file);
  expect(other.snapshot()).toEqual(sandbox.snapshot());
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 });
});

test('saving replaces the file in one step and leaves nothing beside it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'state.json');
  const sandbox = createSandbox({ seed: { tags: 2000 } });
  await Promise.all([sandbox.save(file), sandbox.save(file), sandbox.save(file)]);
  expect(readdirSync(folder)).toEqual(['state.json']);
  await expect(sandbox.save(join(folder, 'missing', 'state.json'))).rejects.toThrow(/ENOENT/);
  mkdirSync(join(folder, 'taken'));
  await expect(sandbox.save(join(folder, 'taken'))).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['state.json', 'taken']);
});

test.each([
  ['not JSON', 'the state is not JSON'],
  ['[]', 'the state must be an object with "version": 1'],
  ['{"version":2}', 'the state must be an object with "version": 1'],
  ['{"version":1,"contact":[]}', 'unknown kind of record "contact"; did you mean "contacts"?'],
  ['{"version":1,"tags":{}}', 'tags must be an array'],
  ['{"version":1,"tags":[{"id":"x","name":"a"}]}', 'tags[0]: id must be tag_ and 22 letters or digits'],
  ['{"version":1,"contacts":[{"email":5}]}', 'contacts[0]: email must be an email address'],
])('a file that holds %s is refused, and the state stays', async (text, message) => {
  const file = join(temporaryFolder(), 'state.json');
  writeFileSync(file, text);
  const sandbox = createSandbox({ seed: { tags: 1 } });
  await expect(sandbox.load(file)).rejects.toThrow(message);
  expect(sandbox.state.tags.size).toBe(1);
});

test('revision grows with writes and not with reads', async () => {
  const sandbox = createSandbox();
  const before = sandbox.revision;
  await rest(sandbox, 'GET /sender');
  expect(sandbox.revision).toBe(before);
  await rest(sandbox, 'POST /tag', { name: 'a' });
  expect(sandbox.revision).toBeGreaterThan(before);
});
