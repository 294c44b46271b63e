import type { TimeoutPhase } from '../../errors.ts';
import {
  addressOf,
  closedFailure,
  connectionFailure,
  corsAdvice,
  type Failure,
} from '../response/failure.ts';

// Takes the place of `node/node-transport.ts` in bundles for browsers, which hold nothing for Node: see `imports` in
// package.json.
export { sendByGlobalFetch as sendByDefault } from './fetch-transport.ts';

/** What browsers say of a request that did not reach the server, and of one whose response CORS forbids to read. */
const browserMessage = /^(?:failed to fetch|load failed|networkerror when)/i;

/** Turns what ended an attempt without a response into a failure. Neither browsers nor edge workers tell why. */
export function sendingFailure(error: unknown, phase: TimeoutPhase, url: URL): Failure {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return phase === 'head' && browserMessage.test(String(message))
    ? connectionFailure(
        'unknown',
        undefined,
        `no response from ${addressOf(url)} (network failure, or blocked by CORS)`,
        corsAdvice,
      )
    : closedFailure(url);
}
