/** Bun, Deno and Node: `program <address of a service whose connections break>`. */
import { EmailMarketingClient } from 'email-marketing-client';

const [baseUrl] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
const client = new EmailMarketingClient({ baseUrl, apiKey: 'key', logLevel: 'off' });

// The second call can reuse the connection of the first; the third makes a new one.
const outcomes = [];
for (let call = 0; call < 3; call++) {
  const { ok, error } = await client.events.record({ name: 'seen', identifier: 'ada@example.com' }).safe();
  outcomes.push(ok ? 'success' : error.outcome);
}
console.log(JSON.stringify(outcomes));
(globalThis.Deno ?? process).exit();
