/* global expect, test */
/** A Jest project by `require`; the address of the sandbox and the file for the result are in the environment. */
const { writeFileSync } = require('node:fs');
const library = require('email-marketing-client');
const { createSandbox } = require('email-marketing-client/testing');
const { scenario } = require('./scenario.cjs');

test('the scenario runs', async () => {
  writeFileSync(process.env.RESULT, JSON.stringify(await scenario(library, process.env.SANDBOX)));
});

test('the sandbox listens', async () => {
  const server = await createSandbox().listen();
  expect((await fetch(server.url)).status).toBe(200);
  await server.close();
});
