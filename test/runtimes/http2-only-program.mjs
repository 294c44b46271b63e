/** Bun, Deno and Node: `program <address of a server that speaks only HTTP/2>`. */
import { EmailMarketingClient } from 'email-marketing-client';

const [baseUrl] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
const client = new EmailMarketingClient({ baseUrl, apiKey: 'key', maxRetries: 0, logLevel: 'off' });

const headers = { 'x-team-apikey': 'key' };
const reached = await fetch(`${baseUrl}/api/v1/rest/sender`, { headers }).then(
  response => response.status,
  () => 'not reached',
);
const results = [
  await client.senders.list().safe(),
  await client.tags.create({ name: 'n' }).safe(),
  // Its response is empty.
  await client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe(),
];
const shown = results.map(({ ok, response, error }) =>
  ok ? [response.status, response.headers.get('x-seen')] : [error.name, error.outcome],
);
console.log(JSON.stringify({ fetch: reached, client: shown }));
// Connections of HTTP/2 keep some runtimes alive.
(globalThis.Deno ?? process).exit();
