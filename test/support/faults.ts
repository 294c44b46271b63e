// Ways in which a connection fails, for the fault server.
import type { Exchange, Fault } from './fault-server.ts';

// For a refused connection and an unknown host, use the addresses of the fault server.

/** The connection is reset after the request was received. */
export const resetBeforeResponse: Fault = ({ socket }) => void socket.resetAndDestroy();

/** The connection is closed properly, without a response. */
export const closedBeforeResponse: Fault = ({ socket }) => void socket.end();

/** Half of a healthy response, then a reset. */
export const resetInBody: Fault = exchange =>
  sendHalf(exchange, () => setTimeout(() => exchange.socket.resetAndDestroy(), 10));

/** Half of a healthy response, then the connection closes. */
export const closedInBody: Fault = exchange => sendHalf(exchange, () => exchange.socket.end());

/** The start of a body without a length, which ends when the connection closes. */
export const stopsInBody: Fault = ({ socket }) =>
  void socket.end('HTTP/1.1 200\r\nConnection: close\r\n\r\n{"status":"err');

/** The same, with a status by which the service rejects a request. */
export const stopsInErrorBody: Fault = ({ socket }) =>
  void socket.end('HTTP/1.1 400\r\nConnection: close\r\n\r\n{"status":"err');

/** The request is received, and no response is sent. */
export const neverResponds: Fault = () => {};

const json = { 'content-type': 'application/json' };

/** A head, and no body. */
export const stallsAfterHead: Fault = ({ response, normal }) => {
  response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(normal) });
  response.flushHeaders();
};

/** Half of a healthy response, and no more. */
export const stallsInBody: Fault = exchange => sendHalf(exchange, () => {});

/** A healthy response, one byte at a time. */
export const drips =
  (everyMs = 1000): Fault =>
  exchange => {
    stallsAfterHead(exchange);
    const { response, normal } = exchange;
    const bytes = Buffer.from(normal);
    let sent = 0;
    const sendByte = () => {
      response.write(bytes.subarray(sent, sent + 1));
      sent += 1;
      if (sent < bytes.length) timer = setTimeout(sendByte, everyMs);
      else response.end();
    };
    let timer = setTimeout(sendByte, everyMs);
    response.on('close', () => clearTimeout(timer));
  };

const usualMessages: Readonly<Record<number, string>> = {
  404: 'resource not found',
  500: 'internal server error occurred',
};

/** A response with this status, by default with an error body (rule 3.1) whose message adds nothing. */
export const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body = errorBody(usualMessages[Math.min(code, 500)] ?? 'no luck today'),
  ): Fault =>
  ({ response }) => {
    response.writeHead(code, { ...json, ...headers }).end(body);
  };

/** 429, with or without `Retry-After`. */
export const tooManyRequests = (retryAfter?: string): Fault =>
  status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }, errorBody('slow down'));

/** 503 with `Retry-After`, in the form of the service: a gateway can be set to send it after the service acted. */
export const unavailable = (retryAfter: string): Fault =>
  status(503, { 'retry-after': retryAfter }, errorBody('come back later'));

/** 502 with the HTML page of a proxy. */
export const badGatewayPage: Fault = status(
  502,
  { 'content-type': 'text/html' },
  '<html><body><h1>502 Bad Gateway</h1></body></html>',
);

/** A complete response with status 200 that is not JSON. */
export const notJson: Fault = status(
  200,
  { 'content-type': 'text/html' },
  '<html><body>Welcome</body></html>',
);

/** A complete response with status 200 whose JSON is cut off. */
export const cutShortJson: Fault = ({ response, normal }) => {
  response.writeHead(200, json).end(half(normal));
};

/** Bytes that are not HTTP. */
export const notHttp: Fault = ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n');

/** A redirect. */
export const redirect = (to: string): Fault => status(302, { location: to }, '');

/** A hostile response, which repeats the request's headers, query and body in its body and headers. */
export const echo =
  (code: number): Fault =>
  ({ request, response }) => {
    const headers = Object.fromEntries(request.headers);
    const query = [...new URLSearchParams(request.query)];
    const all = JSON.stringify({ headers, query, body: request.body });
    response.writeHead(code, {
      'content-type': 'application/json',
      'x-echo': all.replaceAll(/[^\x20-\x7e]/g, '?'),
      ...Object.fromEntries([...request.headers].filter(([name]) => /key|team/.test(name))),
    });
    response.end(errorBody(`refused: ${all}`));
  };

/** The body of an error response (rule 3.1). */
export const errorBody = (message: string): string => JSON.stringify({ status: 'error', message });

const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));

function sendHalf(exchange: Exchange, then: () => void): void {
  stallsAfterHead(exchange);
  exchange.response.write(half(exchange.normal), then);
}
