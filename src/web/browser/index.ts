/**
 * Client for a web page, without a key: its calls go to your own server. Types of records come by `import type` from the main
 * entry.
 *
 * @module email-marketing-client/browser
 */

// Errors
export * from '../../errors.ts';
// Helpers for single values
export { customField } from '../../helpers/custom-field.ts';
export { decrement, increment } from '../../helpers/increment.ts';
export type { ApiPromise, SafeResult, WithResponse } from '../../http/call/api-promise.ts';
export type { CallHeaders, CallOptions } from '../../http/call/call-options.ts';
export type { Resources } from '../../resources/index.ts';
// Client
export { type BrowserClient, type BrowserClientOptions, createBrowserClient } from './client.ts';
