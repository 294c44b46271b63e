/* global test */
/** A Jest project by `require`; the address of the sandbox and the file for the result are in the environment. */
const { writeFileSync } = require('node:fs');
const library = require('email-marketing-client');
const { scenario } = require('./scenario.cjs');

test('the scenario runs', async () => {
  writeFileSync(process.env.RESULT, JSON.stringify(await scenario(library, process.env.SANDBOX)));
});
