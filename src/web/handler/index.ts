/**
 * Handler for your own server, which keeps the key and lets a web page make the calls that you allow.
 *
 * @module email-marketing-client/proxy
 */

export type { OperationInputs, OperationResults } from '../../resources/operations.ts';
export { createProxyHandler, type ProxyHandler } from './handler.ts';
export { type NodeListener, type NodeRequest, type NodeResponse, toNodeListener } from './node.ts';
export type {
  Authorize,
  CallStore,
  Decision,
  ProxyCall,
  ProxyOptions,
  ProxyOutput,
} from './options.ts';
