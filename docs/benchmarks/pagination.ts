// Share of the latency limit that an iteration reaches, beside bare `fetch` in the same order: `npm run bench -- pagination`.
import { EmailMarketingClient } from 'email-marketing-client';
import { type Contender, compareUnderLatency } from './latency.ts';
import type { Server } from './measure.ts';

const pageSize = 100;
const pages = 1_600;
const contacts = pages * pageSize;

const inOrder = (count: number, seen: number): void => {
  if (count !== seen) throw new Error(`${seen} contacts came, not ${count}`);
};

const ours: Contender = {
  name: 'contacts.all',
  async run(server, concurrency) {
    await server.hold(contacts);
    const client = new EmailMarketingClient({ baseUrl: server.url, apiKey: 'key' });
    let seen = 0;
    for await (const page of client.contacts.all({}, { concurrency }).pages()) seen += page.length;
    inOrder(contacts, seen);
  },
};

const page = async (server: Server, offset: number): Promise<unknown[]> => {
  const url = `${server.url}/api/v1/rest/contact?offset=${offset}&limit=${pageSize}`;
  return (await fetch(url, { headers: { 'X-Team-ApiKey': 'key' } })).json() as Promise<unknown[]>;
};

const bare: Contender = {
  name: 'bare fetch',
  async run(server, concurrency) {
    await server.hold(contacts);
    const ahead: Promise<unknown[]>[] = [];
    let seen = 0;
    for (let next = 0; ; ) {
      for (; ahead.length < concurrency; next += pageSize) ahead.push(page(server, next));
      const records = (await ahead.shift()) ?? [];
      seen += records.length;
      if (records.length < pageSize) break;
    }
    await Promise.all(ahead);
    inOrder(contacts, seen);
  },
};

await compareUnderLatency(
  [bare, ours],
  [
    { requests: pages, inFlight: 8, wanted: 0.85 },
    { requests: pages, inFlight: 16, wanted: 0.8 },
  ],
);
