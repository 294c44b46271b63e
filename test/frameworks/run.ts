/**
 * Builds each sample of docs/frameworks.md with its framework, unchanged, and runs it against a sandbox.
 * Usage: `npm run test:all -- frameworks`, or with names: `node test/frameworks/run.ts next`.
 */
import assert from 'node:assert/strict';
import { createSandbox } from '../../src/testing/index.ts';
import { frameworks } from './frameworks.ts';

const chosen = process.argv.slice(2);

for (const [name, start] of Object.entries(frameworks)) {
  if (chosen.length > 0 && !chosen.some(part => name.toLowerCase().includes(part.toLowerCase()))) continue;
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'grace@example.com' }] } });
  const server = await sandbox.listen();
  const account = {
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
  };
  let close: (() => Promise<unknown>) | undefined;
  try {
    const program = await start(account);
    close = program.close;
    const statusOf = async (body: unknown) => (await program.ask('/sign-up', body))[0];
    assert.equal(sandbox.requests.length, 0, `${name}: starting calls nothing`);
    assert.equal(await statusOf({ email: 'ada@example.com', firstName: 'Ada' }), 200, name);
    assert.equal(await statusOf({ email: 'ada@example.com', firstName: '' }), 200, name);
    assert.equal(await statusOf({ email: 'no address' }), 400, `${name}: an invalid address`);
    assert.equal(sandbox.requests.count('POST /contact/identify'), 2, name);
    const ada = sandbox.state.contacts.all.find(({ email }) => email === 'ada@example.com');
    assert.equal(ada?.firstName, 'Ada', `${name}: an empty field keeps the stored name`);
    sandbox.fail('POST /contact/identify', { status: 400 });
    assert.equal(await statusOf({ email: 'eve@example.com' }), 502, `${name}: a failure of the service`);
    sandbox.clearFaults();
    await program.further?.();
  } finally {
    await close?.();
    await server.close();
  }
  console.log(`${name}: as expected`);
}
