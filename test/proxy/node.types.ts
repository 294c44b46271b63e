// Gives the proxy's listener to the servers of Node that users have. Compiled, and not run.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { RequestHandler } from 'express';
import type { NodeListener, ProxyHandler } from '../../src/proxy/index.ts';
import { toNodeListener } from '../../src/proxy/index.ts';

declare const handler: ProxyHandler;
declare const listener: NodeListener;

/** Everything that takes a listener of Node's takes this one. */
export const servers = () => [
  createServer(listener),
  createHttpsServer({}, listener),
  createSecureServer({ allowHTTP1: true }, listener),
];
export const express: RequestHandler = toNodeListener(handler);

/** Fastify has Node's own objects as `request.raw` and `reply.raw`, Hono on Node as `env.incoming` and `env.outgoing`. */
export const fastify = (
  request: { raw: IncomingMessage },
  reply: { raw: ServerResponse; hijack(): unknown },
) => {
  reply.hijack();
  return listener(request.raw, reply.raw);
};
export const hono = ({ env }: { env: { incoming: IncomingMessage; outgoing: ServerResponse } }) =>
  listener(env.incoming, env.outgoing);
