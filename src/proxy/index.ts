/**
 * Handler for your own server. It holds the key, and makes the calls of web pages that you allow.
 *
 * @module email-marketing-client/proxy
 */

export type {
  Authorize,
  CallStore,
  Decision,
  ProxyCall,
  ProxyOptions,
  ProxyOutput,
} from './handler-options.ts';
export { type NodeListener, type NodeRequest, type NodeResponse, toNodeListener } from './node-listener.ts';
export { createProxyHandler, type ProxyHandler } from './proxy-handler.ts';
