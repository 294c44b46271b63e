// The clients that the benchmarks compare, and how each does the jobs.
import type { Contact } from '../../src/index.ts';
import type { ImportRow } from './contacts.ts';

/** What a row can do with the server at the address it was made with. */
export interface Jobs {
  /** A small create. */
  post(): Promise<unknown>;
  /** One page of 100 contacts. */
  page?(): Promise<readonly unknown[]>;
  /** Every contact, by the client's own paging; or how many there were. */
  pagination?(): AsyncIterable<unknown> | Promise<number>;
  /** Imports one contact. */
  identify(row: ImportRow): Promise<unknown>;
  /** Imports many by the client's own means; without it, 16 calls of `identify` run at once. */
  bulk?(rows: readonly ImportRow[]): AsyncIterable<unknown>;
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  /** Repeats a failed call by itself. */
  readonly retries: boolean;
  /** Checks what responses hold against a schema. */
  readonly checks?: boolean;
  /** The row does this job and no other. */
  readonly only?: 'pagination';
  /** Module text that loads the client and makes one, for its start-up time and size; absent if nothing is loaded. */
  readonly code?: string;
  /** The packages to install for it. */
  readonly packages?: readonly string[];
  make(url: string): Promise<Jobs>;
}

const distribution = new URL('../../dist/index.js', import.meta.url).href;
const headers = { 'content-type': 'application/json', 'x-team-apikey': 'key' };
const identifyPath = '/api/v1/contact/identify?team_id=team';

async function* pagesOf<T>(page: (offset: number) => Promise<readonly T[]>): AsyncGenerator<T> {
  for (let offset = 0; ; ) {
    const records = await page(offset);
    if (records.length === 0) return;
    yield* records;
    offset += records.length;
  }
}

/** Iterates over every contact in another way than by a plain loop, and returns their number. */
type Iterate = (paginator: import('../../src/index.ts').Paginator<Contact>) => Promise<number>;

const readingCheckpoints: Iterate = async paginator => {
  let read = 0;
  for await (const _ of paginator) if (paginator.checkpoint !== '') read += 1;
  return read;
};

const intoAnArray: Iterate = async paginator => (await paginator.toArray()).length;

async function ours(url: string, options: object, iterate?: Iterate): Promise<Jobs> {
  const { bulk, EmailMarketingClient }: typeof import('../../src/index.ts') = await import(distribution);
  const client = new EmailMarketingClient({ baseUrl: url, apiKey: 'key', teamId: 'team', ...options });
  return {
    post: () => client.tags.create({ name: 'customers' }),
    page: () => client.contacts.list({ limit: 100 }),
    pagination: () => (iterate ? iterate(client.contacts.all()) : client.contacts.all()),
    identify: row => client.legacy.identify(row),
    bulk: rows =>
      bulk(rows, (row, { signal }) => client.legacy.identify(row, { signal }), { concurrency: 16 }),
  };
}

/** Keeps every contact in an array, and returns their number. */
async function collect(contacts: AsyncIterable<unknown>): Promise<number> {
  const collected: unknown[] = [];
  for await (const contact of contacts) collected.push(contact);
  return collected.length;
}

function bare(url: string, isCollected = false): Jobs {
  const call = async (path: string, body?: unknown) => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(url + path, init);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return JSON.parse(await response.text());
  };
  const page = (offset: number) => call(`/api/v1/rest/contact?offset=${offset}&limit=100`);
  return {
    post: () => call('/api/v1/rest/tag', { name: 'customers' }),
    page: () => page(0),
    pagination: () => (isCollected ? collect(pagesOf(page)) : pagesOf(page)),
    identify: row => call(identifyPath, row),
  };
}

/** The part of undici's dispatcher that the floor uses, in the form of Node 26. */
interface Dispatcher {
  dispatch(options: object, handler: object): unknown;
}

/** The floor: Node's own dispatcher and `JSON.parse`, without statuses, headers, encodings and time limits. */
async function dispatcherAlone(url: string): Promise<Jobs> {
  // Node creates its dispatcher for the first request.
  await (await fetch(`${url}/api/v1/rest/sender`)).text();
  const places = globalThis as { readonly [place: symbol]: Dispatcher | undefined };
  const dispatcher = places[Symbol.for('undici.globalDispatcher.2')];
  if (!dispatcher) throw new Error('the floor is measured on Node 26');
  const call = (path: string, body?: unknown) =>
    new Promise<unknown[]>((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      const method = body === undefined ? 'GET' : 'POST';
      const text = body === undefined ? null : JSON.stringify(body);
      dispatcher.dispatch(
        { origin: url, path, method, headers, body: text },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData: (_: unknown, chunk: Uint8Array) => void chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
          onResponseError: (_: unknown, error: unknown) => reject(error),
        },
      );
    });
  const page = (offset: number) => call(`/api/v1/rest/contact?offset=${offset}&limit=100`);
  return {
    post: () => call('/api/v1/rest/tag', { name: 'customers' }),
    page: () => page(0),
    pagination: () => pagesOf(page),
    identify: row => call(identifyPath, row),
  };
}

async function kyAlone(url: string): Promise<Jobs> {
  const { default: ky } = await import('ky');
  const api = ky.create({ headers: { 'x-team-apikey': 'key' } });
  const page = (offset: number) =>
    api.get(`${url}/api/v1/rest/contact?offset=${offset}&limit=100`).json<unknown[]>();
  return {
    post: () => api.post(`${url}/api/v1/rest/tag`, { json: { name: 'customers' } }).json(),
    page: () => page(0),
    pagination: () => pagesOf(page),
    identify: row => api.post(url + identifyPath, { json: row }).json(),
  };
}

/** zod schemas of the three responses that the jobs read. */
async function zodSchemas() {
  const z = await import('zod');
  const text = z.string();
  const flag = z.boolean();
  const names = { firstName: text, lastName: text, email: text, company: text };
  const customFields = z.record(text, text);
  const flags = { unsubscribed: flag, bounced: flag, spam: flag, blocked: flag, dropped: flag };
  const contact = z.object({
    id: text,
    ...names,
    customFields,
    lists: z.array(text),
    tags: z.array(text),
    ...flags,
    created: text,
    updated: text,
    trackData: text,
    pageSource: text,
    lastTrackedIp: text,
    contactSource: z.int(),
    ltv: z.int(),
  });
  const data = z.object({ ...names, birthday: text, tags: z.array(text), customFields });
  return {
    tag: z.object({ id: text, name: text, created: text, updated: text }),
    contacts: z.array(contact),
    result: z.object({ status: text, message: text, data }),
  };
}

async function kyAndZod(url: string): Promise<Jobs> {
  const { tag, contacts, result } = await zodSchemas();
  const { default: ky } = await import('ky');
  const api = ky.create({ headers: { 'x-team-apikey': 'key' } });
  const page = async (offset: number) =>
    contacts.parse(await api.get(`${url}/api/v1/rest/contact?offset=${offset}&limit=100`).json());
  return {
    post: async () =>
      tag.parse(await api.post(`${url}/api/v1/rest/tag`, { json: { name: 'customers' } }).json()),
    page: () => page(0),
    pagination: () => pagesOf(page),
    identify: async row => result.parse(await api.post(url + identifyPath, { json: row }).json()),
  };
}

const ownCode = `import { EmailMarketingClient } from '../../../dist/index.js';
export default new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });`;
const overGlobalFetch = { fetch: (...input: Parameters<typeof fetch>) => fetch(...input) };

const peersFile = new URL('./peers/clients.js', import.meta.url).href;
const { peers }: { peers: readonly Row[] } = await import(peersFile);

/** The line that is ours. */
export const own = 'email-marketing-client';

/** Every line of the table, first ours and what it is measured against, then the peers. */
export const rows: readonly Row[] = [
  { name: own, retries: true, checks: true, code: ownCode, packages: [own], make: url => ours(url, {}) },
  { name: 'the same, given a `fetch`', retries: true, checks: true, make: url => ours(url, overGlobalFetch) },
  {
    name: 'the same, reading `checkpoint` after each record',
    retries: true,
    checks: true,
    only: 'pagination',
    make: url => ours(url, {}, readingCheckpoints),
  },
  {
    name: 'the same, by `toArray()`',
    retries: true,
    checks: true,
    only: 'pagination',
    make: url => ours(url, {}, intoAnArray),
  },
  { name: 'bare fetch + JSON.parse', retries: false, make: async url => bare(url) },
  {
    name: 'bare fetch + JSON.parse, into an array',
    retries: false,
    only: 'pagination',
    make: async url => bare(url, true),
  },
  { name: 'the floor', retries: false, make: dispatcherAlone },
  {
    name: 'ky',
    retries: true,
    code: "import ky from 'ky'; export default ky.create();",
    packages: ['ky'],
    make: kyAlone,
  },
  {
    name: 'ky + zod',
    retries: true,
    checks: true,
    code: "import ky from 'ky'; import * as z from 'zod'; export default [ky.create(), z.object({ id: z.string() })];",
    packages: ['ky', 'zod'],
    make: kyAndZod,
  },
  ...peers.map(peer => ({ ...peer, packages: [peer.name] })),
];

/** The line that every ratio is against. */
export const baseline = 'bare fetch + JSON.parse';
