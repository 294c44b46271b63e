/** Node: `program <folder with undici> <address of a server> <set dispatchers before or after the first request>`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EmailMarketingClient } from 'email-marketing-client';

const [folder, baseUrl, when] = process.argv.slice(2);
const undici = createRequire(join(folder, 'package.json'))('undici');
const { Agent, MockAgent, setGlobalDispatcher } = undici;
const client = new EmailMarketingClient({ baseUrl, apiKey: 'key', maxRetries: 0, logLevel: 'off' });

const byFetch = () => fetch(`${baseUrl}/api/v1/rest/sender`).then(async response => response.json());
const byClient = () => client.senders.list();

/** Returns the results of a request by `fetch`, and of two by the client. */
async function both(request) {
  const results = [];
  for (const send of [byFetch, byClient, byClient]) results.push(await request(send));
  return results;
}

// What another version of undici finds depends on whether Node has loaded its own before.
if (when === 'after') {
  await byFetch();
  await byClient();
}

let dispatched = 0;
class Counting extends Agent {
  dispatch(...input) {
    dispatched += 1;
    return super.dispatch(...input);
  }
}
setGlobalDispatcher(new Counting());
const counted = await both(async send => {
  dispatched = 0;
  await send();
  return dispatched;
});

const mock = new MockAgent();
mock.disableNetConnect();
mock
  .get(baseUrl)
  .intercept({ path: '/api/v1/rest/sender' })
  .reply(200, [{ id: 'mock_1', name: '', email: 'a@example.com', isWhitelisted: true }])
  .persist();
setGlobalDispatcher(mock);
const mocked = await both(async send => (await send().catch(error => [{ id: error.name }]))[0]?.id);

// undici 6 follows redirects by an option, later versions by an interceptor.
const redirects = { maxRedirections: 3 };
const isOption = !undici.interceptors.cache;
setGlobalDispatcher(
  isOption ? new Agent(redirects) : new Agent().compose(undici.interceptors.redirect(redirects)),
);
const moved = new EmailMarketingClient({ baseUrl: `${baseUrl}/moved`, apiKey: 'key', logLevel: 'off' });
const redirected = [];
for (const call of [() => moved.tags.create({ name: 'vip' }), () => moved.senders.list()])
  redirected.push((await call().safe()).error?.response?.status);
console.log(JSON.stringify({ counted, mocked, redirected }));
process.exit();
