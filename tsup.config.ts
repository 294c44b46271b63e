import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

/**
 * What the build puts in place of parts of ky that no call of this library reaches: repeats, hooks, merging of
 * instances, progress and body shortcuts, and the feature tests that would make Node load its `fetch` at start.
 * ky's own request and time limit stay as they are; the tests of the built package run on the result.
 */
const unreachedInKy: Readonly<Record<string, string>> = {
  'index.js': `
    import { Ky } from './core/Ky.js';
    export default (input, options) => Ky.create(input, options);
    export { isTimeoutError } from './utils/type-guards.js';`,
  'core/constants.js': `
    export const maxSafeTimeout = 2147483647, responseTypes = {}, stop = Symbol(), supportsAbortController = false,
      supportsAbortSignal = false, supportsFormData = false, supportsResponseStreams = false, supportsRequestStreams = false;
    export class RetryMarker {}`,
  'core/retry-timing.js': 'export const calculateRetryTimingDelay = 0, getRetryTimingHeader = 0;',
  'utils/body.js': 'export const streamRequest = 0, streamResponse = 0;',
  'utils/delay.js': 'export default 0;',
  'utils/is-network-error.js': 'export default () => false;',
  'utils/merge.js': `
    const hooks = { init: [], beforeRequest: [], beforeRetry: [], beforeError: [], afterResponse: [] };
    export const cloneShallow = 0, mergeHeaders = () => undefined, mergeHooks = () => hooks, deletedParametersSymbol = 0;`,
  'utils/normalize.js': `
    const once = { limit: 0 };
    export const normalizeRequestMethod = method => method, normalizeRetryOptions = () => once;`,
  'utils/options.js': 'export const findUnknownOptions = () => undefined, hasSearchParameters = () => false;',
  'utils/type-guards.js': `
    import { TimeoutError } from '../errors/TimeoutError.js';
    export const isHTTPError = () => false, isNetworkError = isHTTPError, isTimeoutError = error => error instanceof TimeoutError;`,
  'errors/HTTPError.js': 'export class HTTPError {}',
  'errors/NetworkError.js': 'export class NetworkError {}',
  'errors/NonError.js': 'export class NonError {}',
  'errors/ForceRetryError.js': 'export class ForceRetryError {}',
  'errors/SchemaValidationError.js': 'export class SchemaValidationError {}',
};

/** The same for methods of ky's one large class: what to put in place of their bodies. */
const unreachedMethods: Readonly<Record<string, readonly string[]>> = {
  '{}': [
    '#normalizeSearchParams',
    '#calculateDelay',
    '#calculateRetryDelay',
    '#decorateResponse',
    '#getResponseData',
    '#getErrorDataTimeout',
    '#getBodyReadTimeout',
    '#raceBodyRead',
    '#raceWithTotalTimeout',
    '#isJsonContentType',
    '#readResponseText',
    '#parseJson',
    '#cancelResponseBody',
    '#cancelReturnedBody',
    '#throwIfTotalTimeoutExhausted',
    '#runBeforeRequestHooks',
    '#runAfterResponseHooks',
    '#consumeReturnedResponseFromBeforeRetryHook',
    '#getNormalizedOptions',
    '#assignRequest',
  ],
  '{ throw error; }': ['#throwProcessedError', '#retryFromError'],
  '{ return request; }': ['#wrapRequestWithUploadProgress'],
};

function withoutUnreached(ky: string): string {
  let lean = ky;
  for (const [body, methods] of Object.entries(unreachedMethods))
    for (const name of methods) {
      const method = new RegExp(
        `^( {4}(?:static |async )?${name}\\([^)]*\\)) \\{\\n[\\s\\S]*?^ {4}\\}$`,
        'm',
      );
      if (!method.test(lean)) throw new Error(`ky has no method ${name}`);
      lean = lean.replace(method, `$1 ${body}`);
    }
  return lean;
}

const leanKy: Plugin = {
  name: 'lean-ky',
  setup(build) {
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].*\.js$/ }, ({ path }) => {
      const part = path.split(/[\\/]ky[\\/]distribution[\\/]/)[1]?.replaceAll('\\', '/') ?? '';
      const contents =
        part === 'core/Ky.js' ? withoutUnreached(readFileSync(path, 'utf8')) : unreachedInKy[part];
      return contents === undefined ? undefined : { contents, loader: 'js' };
    });
  },
};

/** Leaves the choice of what sends to the package's `imports`, so that no page's bundle holds what is for Node alone. */
const chosenExchange: Plugin = {
  name: 'chosen-exchange',
  setup(build) {
    build.onResolve({ filter: /core\/node-exchange\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: '#exchange', external: true },
    );
  },
};

const common: Options = {
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, '#exchange'],
  esbuildPlugins: [leanKy, chosenExchange],
  esbuildOptions(options) {
    options.minifyWhitespace = true;
  },
  splitting: true,
  treeshake: true,
  sourcemap: true,
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      cli: 'src/cli.ts',
      'node-exchange': 'src/core/node-exchange.ts',
      exchange: 'src/core/default-exchange.ts',
      proxy: 'src/proxy/index.ts',
    },
    dts: {
      entry: {
        index: 'src/index.ts',
        testing: 'src/testing/index.ts',
        proxy: 'src/proxy/index.ts',
        browser: 'src/browser/index.ts',
      },
    },
    clean: ['!browser.*'],
  },
  // Alone, as parts shared with the others would bring the schemas, which stand beside what the page needs.
  {
    ...common,
    entry: { browser: 'src/browser/index.ts' },
  },
]);
