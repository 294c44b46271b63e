import { type Exchange, overFetch } from './exchange.ts';
import type { Fetch } from './http.ts';

/** Sends through the given `fetch`, or through the global one as it is at each request. */
export const exchangeOver = (fetch: Fetch | undefined): Exchange =>
  overFetch(fetch ?? ((url, init) => globalThis.fetch(url, init)));
