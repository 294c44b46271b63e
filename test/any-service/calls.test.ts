// All operations, and iterations, over services that decide at random what the specification does not show. A failure names the
// seed of its service: `ANY_SERVICE_SEED=17` runs only that one.
import { describe, expect, test } from 'vitest';
import { type Drift, EmailMarketingClient, EmailMarketingError } from '../../src/index.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { listingsInPages, row } from '../endpoints.ts';
import { runs } from '../support/long-run.ts';
import { AnyService } from './any-service.ts';
import { checkEveryOperation, finalState, someone } from './calls.ts';
import { checkCall } from './expectations.ts';
import type { Fields } from './replies.ts';

useNoRetryDelay();

const only = process.env.ANY_SERVICE_SEED;
const seeds = only ? [Number(only)] : Array.from({ length: runs(10, 500) }, (_, index) => index + 1);

/** Returns a `fetch` that calls a service, and fails a share of all requests before the service acts or after. */
function sendTo(service: AnyService, share: number) {
  const { chance, one } = service.decisions;
  const send = async (url: string, { method = '', headers, body }: RequestInit) =>
    service.respond(method, new URL(url), new Headers(headers), await new Response(body).text());
  return async (url: string, init: RequestInit) => {
    if (!chance(share)) return send(url, init);
    const fault = one('reset', 'failure', 'gateway', 'json gateway', 'busy', 'cut off');
    const headers = { 'retry-after': fault === 'busy' ? '0' : one('0', '') };
    if (fault === 'busy') return new Response(one('', '{"message":"slow down"}'), { status: 429, headers });
    if (chance(0.5)) await send(url, init);
    if (fault === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    if (fault === 'failure') return service.fail();
    // `fetch` reports a body that breaks off, unless the end of the connection is also the end of the body.
    if (fault === 'cut off')
      return new Response(one('{"status":"err', '[{"id":"'), { headers: { connection: 'close' } });
    const json = fault === 'json gateway' && '{"status":"error","message":"resource not found"}';
    const page = '<html><title>502 Bad Gateway</title></html>';
    return new Response(json || page, { status: one(500, 502, 503, 504), headers });
  };
}

function connect(service: AnyService, share = 0) {
  const drift: Drift[] = [];
  const client = new EmailMarketingClient({
    ...service.clientOptions(),
    fetch: sendTo(service, share) as typeof fetch,
    // Ids and codes that differ from the documentation are reported, but usable.
    onDrift: each => !/\b(?:id|lists\[\]|tags\[\]|contactSource)$/.test(each.path) && drift.push(each),
  });
  return { client, drift };
}

/** Iterates to the end, and resumes after each error. */
async function readAll(
  iterate: (checkpoint: EmailMarketingError['checkpoint']) => AsyncIterable<{ readonly id: string }>,
): Promise<string[]> {
  const ids: string[] = [];
  let checkpoint: EmailMarketingError['checkpoint'];
  for (let errors = 0; errors < 100; errors++)
    try {
      for await (const { id } of iterate(checkpoint)) ids.push(id);
      return ids;
    } catch (error) {
      if (!EmailMarketingError.isInstance(error) || !error.checkpoint) throw error;
      checkpoint = error.checkpoint;
    }
  throw new Error('100 errors');
}

const ids = (records: readonly Fields[]) => records.map(({ id }) => String(id));

describe.each(seeds)('service %i', seed => {
  test('returns right results and true errors in every operation', async () => {
    const service = new AnyService(seed);
    const { client, drift } = connect(service);
    await checkEveryOperation(service, client, (...call) => checkCall(service, true, ...call));
    expect(finalState(service)).toEqual({ firstName: 'Ada', tags: ['b'], customFields: { points: '8' } });
    expect(drift).toEqual([]);
  });

  test('reports the truth about calls that fail before or after the service acts', async () => {
    const service = new AnyService(seed);
    const { client } = connect(service, 0.4);
    await checkEveryOperation(service, client, (...call) => checkCall(service, false, ...call));
  });

  test.each([0, 0.15])('iterates over every record once, if %d of the requests fail', async share => {
    const service = new AnyService(seed);
    const { upTo, one } = service.decisions;
    const { client, drift } = connect(service, share);
    const options = { concurrency: 1 + upTo(3), pageSize: one(undefined, undefined, 100, 7) };
    for (const { resource } of listingsInPages)
      expect(await readAll(checkpoint => client[resource].all({}, { ...options, checkpoint }))).toEqual(
        ids(service.inOrder(service.recordsOf(row(`${resource}.list`)))),
      );
    const search = `${someone(service)?.email ?? 'nobody'}`.slice(0, 8).toUpperCase();
    const isFound = ({ firstName, lastName, email }: Fields) =>
      `${firstName}\n${lastName}\n${email}`.toUpperCase().includes(search);
    const found = service.inOrder(service.contacts).filter(isFound);
    expect(await readAll(checkpoint => client.contacts.all({ search }, { checkpoint }))).toEqual(ids(found));
    expect(drift).toEqual([]);
  });
});
