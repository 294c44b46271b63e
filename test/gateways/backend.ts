// The service behind a gateway: counts what acted, and fails each call in a way that its number decides.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { calls } from '../endpoints.ts';
import { listen } from '../support/listen.ts';
import { responseText } from '../support/operation-row.ts';
import { callHeader, kinds } from './calls.ts';

/** What the backend saw of one call. */
export interface Seen {
  readonly failure: Failure;
  readonly method: string | undefined;
  /** Number of requests. */
  arrived: number;
  /** Number of requests that took effect. */
  acted: number;
}

/** Header of a response that nginx, and here HAProxy, replaces by another. */
export const filterHeader = 'x-accel-redirect';

/** Path at which Apache looks up the page that it shows in place of an error. */
export const errorPage = '/error';

const cut = ({ socket }: ServerResponse) => void socket?.resetAndDestroy();

const send = (response: ServerResponse, status: number, text: string, headers: object = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);

/** What happens to the first request of a call, in place of a response. `act` counts that it took effect. */
const failures = {
  'cut before acting': response => cut(response),
  'cut after acting': (response, act) => {
    act();
    cut(response);
  },
  'cut in the response': (response, act) => {
    act();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"id":');
    setTimeout(cut, 5, response);
  },
  'hang before acting': () => {},
  'hang after acting': (_, act) => act(),
  'error after acting': (response, act) => {
    act();
    send(response, 500, '{"status":"error","message":"internal server error occurred"}');
  },
  'redirect after acting': (response, act) => {
    act();
    send(response, 307, '', { location: String(response.req.url) });
  },
  'only a head after acting': (response, act) => {
    act();
    response.socket?.end('HTTP/1.1 200 OK\r\n\r\n');
  },
  // The gateway replaces it by its own page, with the status 403.
  'filtered after acting': (response, act) => {
    act();
    send(response, 200, '{"status":"success","message":"OK"}', { [filterHeader]: '/filtered' });
  },
  'empty after acting': (response, act) => {
    act();
    response.writeHead(200, { 'content-type': 'application/json' }).end();
  },
  'busy before acting': response =>
    send(response, 503, '{"status":"error","message":"maintenance"}', { 'retry-after': '0' }),
  'too many requests': response => send(response, 429, '', { 'retry-after': '0' }),
  // A gateway for APIs that has lost its route: no request of the call reaches the service.
  'no route': response => send(response, 502, '<html>'),
} as const satisfies Readonly<Record<string, (response: ServerResponse, act: () => void) => void>>;

type Failure = keyof typeof failures | 'none';

const names = Object.keys(failures) as (keyof typeof failures)[];

/** Number of times that each kind of call is made: once with each failure, and some without. */
export const rounds = names.length + 4;
const failureOf = (number: number): Failure =>
  names[((number % kinds) + Math.floor(number / kinds)) % rounds] ?? 'none';

const responses = new Map(calls.map(row => [row.endpoint, responseText(row)]));

export class Backend {
  readonly seen = new Map<number, Seen>();
  /** Protocols by which the requests came to the gateway. */
  readonly protocols = new Set<string>();
  #port = 0;
  readonly #server = createServer(async (request, response) => {
    try {
      for await (const _ of request);
    } catch {
      return;
    }
    const number = Number(request.headers[callHeader]);
    if (request.url?.startsWith(errorPage)) send(response, [404, 405, 410, 424][number % 4] ?? 404, '<html>');
    else this.#respond(number, request, response);
  });

  /** Listens on a free port. Returns the port. */
  async listen(): Promise<number> {
    this.#port = await listen(this.#server);
    return this.#port;
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }

  /** Closes every connection, accepts none for a moment, and then works again. */
  async die(): Promise<void> {
    this.stop();
    await delay(100);
    await listen(this.#server, '127.0.0.1', this.#port);
  }

  #respond(number: number, request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '' } = request;
    this.protocols.add(String(headers['x-protocol']));
    const call = this.seen.get(number) ?? { failure: failureOf(number), method, arrived: 0, acted: 0 };
    this.seen.set(number, call);
    call.arrived += 1;
    const act = () => {
      call.acted += 1;
    };
    const { failure } = call;
    if (failure !== 'none' && call.arrived === 1) failures[failure](response, act);
    else if (failure === 'no route') send(response, 404, '{"message":"no Route matched with those values"}');
    else if (method === 'DELETE' && call.acted > 0)
      send(response, 404, '{"status":"error","message":"resource not found"}');
    else {
      act();
      const text = responses.get(`${method} ${url.replace(/\?.*/, '')}`);
      send(response, 200, text ?? '{"status":"success","message":"OK"}');
    }
  }
}
