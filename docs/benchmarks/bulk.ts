// How near a bulk of calls comes to what latency allows, beside bare `fetch`: `npm run bench -- bulk`.
import { bulk, EmailMarketingClient } from 'email-marketing-client';
import { type Contender, compareUnderLatency } from './latency.ts';

const calls = 6_400;

function* people() {
  for (let number = 0; number < calls; number++)
    yield { email: `person${number}@customers.example`, firstName: 'Ada', tags: ['customer'] };
}

const ours: Contender = {
  name: 'bulk',
  async run(server, concurrency) {
    const client = new EmailMarketingClient({ baseUrl: server.url, apiKey: 'key', teamId: 'team' });
    let done = 0;
    const identify = (person: { email: string }, { signal }: { signal: AbortSignal }) =>
      client.legacy.identify(person, { signal });
    for await (const { ok } of bulk(people(), identify, { concurrency })) if (ok) done += 1;
    if (done !== calls) throw new Error(`${done} calls succeeded, not ${calls}`);
  },
};

const bare: Contender = {
  name: 'bare fetch',
  async run(server, concurrency) {
    const rows = people();
    const headers = { 'content-type': 'application/json', api_key: 'key' };
    const work = async () => {
      for (const person of rows) {
        const url = `${server.url}/api/v1/contact/identify?team_id=team`;
        await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(person) })).json();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  },
};

await compareUnderLatency(
  [bare, ours],
  [
    { requests: calls, inFlight: 16, wanted: 0.92 },
    { requests: calls, inFlight: 64, wanted: 0.75 },
  ],
);
