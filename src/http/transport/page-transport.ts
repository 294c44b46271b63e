/** Takes the place of `node-transport.ts` in bundles for browsers, which hold nothing for Node: see `imports` in package.json. */
export { sendByGlobalFetch as sendByDefault } from './fetch-transport.ts';
