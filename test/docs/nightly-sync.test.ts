// The nightly sync of docs/tasks.md, unchanged except for a database that persists.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSandbox } from 'email-marketing-client/testing';
import { expect, onTestFinished, test } from 'vitest';
import { collectSnippets, root } from './collect.ts';

test('the nightly sync deletes contacts that no longer exist, except after an empty listing or an interruption', async () => {
  const snippet = collectSnippets().find(({ code }) => code.includes('CREATE TABLE IF NOT EXISTS contacts'));
  const folder = mkdtempSync(join(root, 'test/docs/.nightly-sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'sync.ts');
  const database = JSON.stringify(join(folder, 'contacts.db'));
  writeFileSync(program, snippet?.code.replace("':memory:'", database) ?? '');
  const sandbox = createSandbox({ seed: { contacts: 103 } });
  await using server = await sandbox.listen();
  const env = {
    ...process.env,
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
  };
  const copied = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    return Number(stdout);
  };
  expect(await copied()).toBe(103);
  sandbox.state.contacts.delete(sandbox.state.contacts.all[0]?.id ?? '');
  expect(await copied()).toBe(102);
  const empty = sandbox.fail('contacts.list', { status: 200, body: [] });
  expect(await copied()).toBe(102);
  empty.cancel();
  sandbox.state.contacts.delete(sandbox.state.contacts.all[0]?.id ?? '');
  const secondPage = sandbox.fail('contacts.list', { status: 403, after: 1 });
  await expect(copied()).rejects.toThrow('PermissionError');
  secondPage.cancel();
  expect(await copied()).toBe(102);
  expect(await copied()).toBe(101);
});
