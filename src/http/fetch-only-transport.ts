import { type AttemptState, addressOf, type Failure, noResponseFailure } from './failure.ts';

// Takes the place of `node-transport.ts` in bundles for browsers, which hold nothing for Node: see `imports` in
// package.json.
export { sendByGlobalFetch as sendByDefault } from './fetch.ts';

/** Messages of browsers for a request that did not reach the server, and for a response that CORS hides. */
const browserMessage = /^(?:failed to fetch|load failed|networkerror when)/i;

/** Turns what ended an attempt without a response into a failure. Neither browsers nor edge workers tell why. */
export function sendingFailure(error: unknown, { phase }: AttemptState, url: URL): Failure {
  return noResponseFailure(addressOf(url), browserMessage.test(Object(error).message) ? phase : 'body');
}
