// The listener of the proxy fits every server that users have. The compiler tests this file.
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { RequestHandler } from 'express';
import type { NodeListener, ProxyHandler } from '../../src/proxy/index.ts';
import { toNodeListener } from '../../src/proxy/index.ts';

declare const handler: ProxyHandler;
declare const listener: NodeListener;

/** Servers of Node accept the listener. */
export const servers = () => [
  createServer(listener),
  createHttpsServer({}, listener),
  createSecureServer({ allowHTTP1: true }, listener),
];
export const express: RequestHandler = toNodeListener(handler);
