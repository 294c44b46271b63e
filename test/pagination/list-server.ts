// Serves listings over HTTP and paginates over them, for the tests of this folder.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { ApiError, EmailMarketingClient, type Paginator, type PaginatorOptions } from '../../src/index.ts';
import { runs } from '../support/long-run.ts';
import type { FakeList, Item } from './fake-list.ts';

/** Makes a walk over the contacts of a list. */
export type PaginateOver = (list: FakeList, options?: PaginatorOptions) => Paginator<Item>;

/** Walks over a list by calling it. */
const inMemory: PaginateOver = (list, options) => list.paginate(options);

/** Serves lists over HTTP for the tests of a file, and gives walks of a client over them. */
function serveLists(): PaginateOver {
  const lists: FakeList[] = [];
  const server = createServer(async (request, response) => {
    const [, number, ...path] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const list = lists[Number(number)];
    if (list && path.join('/') === 'api/v1/rest/contact') await answer(list, request, response);
    else response.writeHead(404).end();
  });
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (list, options) => {
    const number = lists.push(list) - 1;
    const { port } = server.address() as AddressInfo;
    const client = new EmailMarketingClient({ baseUrl: `http://127.0.0.1:${port}/${number}`, apiKey: 'key' });
    return client.contacts.all({}, options);
  };
}

async function answer(list: FakeList, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  const page = { offset: Number(query.get('offset')), limit: Number(query.get('limit')) };
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  try {
    const records = await list.load(page, { signal: closed.signal });
    const text = JSON.stringify(records.map(({ id }) => ({ id, email: `${id}@example.com` })));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(records.length === 0 ? list.emptyAnswer : text);
  } catch (error) {
    const status = ApiError.isInstance(error) ? error.status : 404;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no"}');
  }
}

/** Where the tests of walks find their lists, and for what each is quick enough: random runs, and records at most. */
export const places = () =>
  [
    { place: 'in memory', runs: runs(50, 150), most: 400, paginate: inMemory },
    { place: 'of a server', runs: runs(5, 25), most: 120, paginate: serveLists() },
  ] as const;
