import { type Described, type Failure, noWholeResponse } from '../call/failure.ts';

// Takes the place of `node-transport.ts` in bundles for browsers, which hold nothing for Node: see `imports` in
// package.json.
export { sendByGlobalFetch as send } from './fetch.ts';

/** Says what an error of the network means. Neither browsers nor edge workers tell why no response came. */
export const networkFailure = (call: Described, _attempt: unknown, cause?: unknown): Failure =>
  noWholeResponse(call, undefined, cause);
