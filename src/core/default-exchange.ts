import type { Beneath } from './exchange.ts';

/** There is nothing cheaper beneath `fetch` but on Node. */
export const beneath: Beneath = byFetch => byFetch;
