/**
 * The client of a page: no key, and calls that go to your own server. Types of records come by `import type` from the
 * main entry.
 *
 * @module email-marketing-client/browser
 */

export type { ApiPromise, SafeResult, WithResponse } from '../core/api-promise.ts';
export type { CallOptions } from '../core/options.ts';
// Errors
export * from '../errors.ts';
// Words for single values
export { customField } from '../resources/contacts.ts';
export type { Resources } from '../resources/index.ts';
export { decrement, increment } from '../schema/numeric.ts';
export { createBrowserClient } from './client.ts';
export type { BrowserClientOptions } from './options.ts';
