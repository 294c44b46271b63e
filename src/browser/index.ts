/**
 * Client for a web page, without a key. Its calls are sent to your own server. Import types of records with
 * `import type` from the main entry point.
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
