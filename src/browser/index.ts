/**
 * Client for a web page, without a key: its calls go to your own server. Types of records come by `import type` from the main
 * entry.
 *
 * @module email-marketing-client/browser
 */

export type { ApiPromise, SafeResult, WithResponse } from '../call/api-promise.ts';
export type { CallHeaders, CallOptions } from '../call/call-options.ts';
// Errors
export type * from '../error-details.ts';
export * from '../errors.ts';
// Helpers for single values
export { customField } from '../helpers/custom-field.ts';
export { decrement, increment } from '../helpers/increment.ts';
// Client
export { type BrowserClient, type BrowserClientOptions, createBrowserClient } from './browser-client.ts';
