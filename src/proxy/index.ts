/**
 * The handler for your own server, which keeps the key and lets a page make the calls that you allow.
 *
 * @module email-marketing-client/proxy
 */

export type { OperationInputs, OperationResults } from '../operations/index.ts';
export type { WireEndpointRequest } from '../protocol.ts';
export type { ProxyCall } from './calls.ts';
export { createProxyHandler, type ProxyHandler } from './handler.ts';
export { type NodeListener, type NodeResponse, toNodeListener } from './node.ts';
export type { NodeRequest } from './node-request.ts';
export type {
  AllowedEndpoint,
  Authorize,
  Decision,
  DedupeOptions,
  ProxyOptions,
  ProxyOutput,
} from './options.ts';
export type { DedupeStore } from './result-memory.ts';
