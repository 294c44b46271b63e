import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * What the build puts in place of modules of ky that no call of this library reaches: repeats, hooks, merging of
 * instances, progress and body shortcuts, and the feature tests that would make Node load its `fetch` at start.
 * ky's own request and time limit stay as they are; the tests of the built package run on the result.
 */
const unreachedModules: Readonly<Record<string, string>> = {
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

/** The same for methods and functions beside them in ky's one large module, by how their first line begins. */
const unreachedFunctions: Readonly<Record<string, readonly string[]>> = {
  '{}': [
    'const createTextDecoder',
    'const cloneRetryOptions',
    'const cloneSearchParametersForInitHook',
    'const validateJsonWithSchema',
    'function cloneInitHookOptions',
    'static #normalizeSearchParams',
    '#calculateDelay',
    'async #calculateRetryDelay',
    '#decorateResponse',
    'async #getResponseData',
    '#getErrorDataTimeout',
    '#getBodyReadTimeout',
    'async #raceBodyRead',
    'async #raceWithTotalTimeout',
    '#isJsonContentType',
    'async #readResponseText',
    'async #parseJson',
    '#cancelResponseBody',
    '#cancelReturnedBody',
    '#throwIfTotalTimeoutExhausted',
    'async #runBeforeRequestHooks',
    'async #runAfterResponseHooks',
    '#consumeReturnedResponseFromBeforeRetryHook',
    '#getNormalizedOptions',
    '#assignRequest',
    '#createManagedSignal',
  ],
  '{ throw error; }': ['async #throwProcessedError', 'async #retryFromError'],
  '{ return request; }': ['#wrapRequestWithUploadProgress'],
};

/** Blocks whose condition no call fulfils. */
const unreachedBlocks: readonly string[] = [
  'for (const [type, mimeType] of Object.entries(responseTypes))',
  "if (typeof ky.#options.timeout === 'number'",
  "if (typeof ky.#options.totalTimeout === 'number'",
  'if (ky.#options.onDownloadProgress)',
  'if (isResponseInstance(response))',
  "if (!currentResponse.ok && currentResponse.type !== 'opaque'",
  "if (Object.hasOwn(options, 'prefixUrl'))",
  "if (typeof this.#input !== 'string'",
  "if (typeof this.#input === 'string')",
  'if (supportsAbortController && supportsAbortSignal)',
  'if (this.#abortController?.signal.aborted)',
  'if (this.#options.json !== undefined)',
  'if (this.#input instanceof globalThis.Request',
  'if (hasSearchParameters(this.#options.searchParams))',
  'if (this.#options.onUploadProgress &&',
];

/** Takes out what stands from the line that begins with `start` to the brace that closes it. */
function replaceBlock(source: string, start: string, body: string | undefined): string {
  const lines = source.split('\n');
  const first = lines.findIndex(line => line.trimStart().startsWith(start));
  const head = lines[first];
  if (head === undefined) throw new Error(`ky has no ${start}`);
  const close = head.slice(0, head.length - head.trimStart().length).concat('}');
  const length = lines.slice(first).findIndex(line => line === close || line === `${close};`);
  lines.splice(first, length + 1, ...(body === undefined ? [] : [head.replace(/\{$/, body)]));
  return lines.join('\n');
}

function withoutUnreached(ky: string): string {
  const lean = unreachedBlocks.reduce((source, start) => replaceBlock(source, start, undefined), ky);
  return Object.entries(unreachedFunctions)
    .flatMap(([body, starts]) => starts.map(start => ({ body, start })))
    .reduce((source, { body, start }) => replaceBlock(source, start, body), lean);
}

/** Leaves out of the build what no call reaches in ky: more than half of its weight. */
export const leanKy: Plugin = {
  name: 'lean-ky',
  setup(build) {
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].*\.js$/ }, ({ path }) => {
      const part = path.split(/[\\/]ky[\\/]distribution[\\/]/)[1]?.replaceAll('\\', '/') ?? '';
      const contents =
        part === 'core/Ky.js' ? withoutUnreached(readFileSync(path, 'utf8')) : unreachedModules[part];
      return contents === undefined ? undefined : { contents, loader: 'js' };
    });
  },
};
