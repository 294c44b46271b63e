/** Bun, Deno and Node: `program <address of a server that closes connections> <operation or method> <calls>`. */
import { EmailMarketingClient, increment } from 'email-marketing-client';

const [baseUrl, operation, count] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
const client = new EmailMarketingClient({
  baseUrl,
  apiKey: 'key',
  teamId: 'team',
  maxRetries: 0,
  logLevel: 'off',
});

const request = method => index =>
  client.request({
    method,
    path: '/thing/{id}',
    params: { id: index },
    ...(index % 2 && { body: { index } }),
  });

const makers = {
  'tags.delete': index => client.tags.delete(String(index).padStart(22, '0')),
  POST: request('POST'),
  PUT: request('PUT'),
  PATCH: request('PATCH'),
  DELETE: request('DELETE'),
  'tags.create': index => client.tags.create({ name: `tag-${index}` }),
  'legacy.identify': index =>
    client.legacy.identify({ email: `${index}@example.com`, customFields: { points: increment(5) } }),
};

const results = [];
for (let index = 0; index < Number(count); index++) {
  const result = await makers[operation](index).safe();
  results.push(result.ok ? 'ok' : result.error.outcome);
}
console.log(JSON.stringify(results));
