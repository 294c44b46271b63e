import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import type { Engine } from '../context.ts';
import type { Reply } from '../dispatcher.ts';
import type { FaultOrder, FaultTarget } from '../faults/faults.ts';
import { page } from '../page.ts';
import { containing } from '../service/paging.ts';
import { Refusal } from '../service/refusal.ts';
import { operationNames } from '../service/router.ts';
import type { ReadRequest } from '../service/service.ts';
import { contactView } from '../service/view.ts';
import type { Responder } from './server.ts';

/** Answers what is not the service's: the page, and its controls under `/_sandbox`, for people and other processes. */
type Control = (engine: Engine, request: ReadRequest, rest: string) => unknown;

const controls: Record<string, Control> = {
  'GET /_sandbox/view': view,
  'GET /_sandbox/requests': ({ journal }, { url }) => {
    const operation = url.searchParams.get('operation');
    return journal.filter(request => operation === null || request.operation === operation).map(withoutKeys);
  },
  'GET /_sandbox/faults': ({ faults }) => faults.list(),
  'POST /_sandbox/faults': addFault,
  'DELETE /_sandbox/faults': ({ faults }, _, number) =>
    faults.clear(number === '' ? undefined : Number(number)),
  'POST /_sandbox/reset': ({ reset }) => reset() ?? true,
};

/** Serves the site beside the service. */
export function siteResponder(engine: Engine): Responder {
  return (request, signal) => {
    const own = answerSite(engine, request);
    return own === undefined ? engine.exchange.reply(request, signal) : Promise.resolve(own);
  };
}

function answerSite(engine: Engine, request: ReadRequest): Reply | undefined {
  const { method, url } = request;
  if (method === 'GET' && url.pathname === '/') return reply(200, 'text/html; charset=utf-8', page);
  if (method === 'GET' && url.pathname === '/openapi.json') return json(200, openApiDocument);
  const [, place, name = '', rest = ''] = /^\/(_sandbox)\/([a-z]+)(?:\/(\d+))?$/.exec(url.pathname) ?? [];
  if (place === undefined) return undefined;
  const control = controls[`${method} /_sandbox/${name}`];
  if (control === undefined || isForeign(request)) return json(404, new Refusal('unknown').body);
  try {
    return json(200, control(engine, request, rest));
  } catch (error) {
    return json(400, { status: 'error', message: error instanceof Error ? error.message : 'bad request' });
  }
}

/** Whether another site's page sent it: that may not switch anything here. */
function isForeign({ headers }: ReadRequest): boolean {
  const origin = headers.get('origin');
  return origin !== null && origin !== `http://${headers.get('host')}`;
}

function addFault({ faults }: Engine, { body = '' }: ReadRequest): unknown {
  const { operation, ...order } = JSON.parse(body) as { operation: FaultTarget } & FaultOrder;
  faults.add(operation, order as FaultOrder);
  return faults.list().at(-1);
}

/** What the page shows. */
function view({ state, journal, faults, silences }: Engine, { url }: ReadRequest): unknown {
  const search = url.searchParams.get('search') ?? '';
  const hit = containing(search);
  const found =
    search === ''
      ? state.contacts.all.slice(-50).reverse()
      : state.contacts.all.filter(
          ({ email, firstName, lastName }) => hit(email) || hit(firstName) || hit(lastName),
        );
  const named = (id: string) => (state.tags.get(id) ?? state.lists.get(id))?.name ?? id;
  return {
    counts: {
      ...Object.fromEntries(Object.entries(state).map(([kind, records]) => [kind, records.size])),
      requests: journal.length,
    },
    contacts: found.slice(0, 50).map(contact => ({
      ...contactView(contact, silences),
      tags: contact.tags.map(named),
      lists: contact.lists.map(named),
    })),
    lists: state.lists.all.slice(-100).reverse(),
    tags: state.tags.all.slice(-100).reverse(),
    events: state.events.all.slice(-50).reverse(),
    requests: journal.slice(-50).reverse().map(withoutKeys),
    faults: faults.list(),
    operations: operationNames,
  };
}

/** A request of the journal without what must not be shown. */
function withoutKeys<T extends { readonly headers: Readonly<Record<string, string>> }>(request: T): T {
  const shown = Object.entries(request.headers).map(([name, value]) => [
    name,
    isKey(name) ? '[redacted]' : value,
  ]);
  return { ...request, headers: Object.fromEntries(shown) };
}

function isKey(name: string): boolean {
  return name === 'x-team-apikey' || name === 'api_key' || name === 'authorization' || name === 'cookie';
}

function json(status: number, value: unknown): Reply {
  return reply(status, 'application/json; charset=utf-8', JSON.stringify(value));
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:";

function reply(status: number, type: string, text: string): Reply {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'content-security-policy': policy };
  return { status, headers, text, ending: 'whole' };
}
