export type { OperationInputs, ProxyCall } from './calls.ts';
export { createProxyHandler, type ProxyHandler } from './handler.ts';
export { type NodeListener, type NodeRequest, type NodeResponse, toNodeListener } from './node.ts';
export type { Authorize, Decision, ProxyOptions } from './options.ts';
