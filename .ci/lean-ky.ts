import { type LeftOut, lean } from './leave-out.ts';

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

/** Methods and functions beside them in ky's one large module, by how their first line begins. */
const unreachedFunctions: readonly LeftOut[] = [
  {
    module: 'core/Ky.js',
    starts: [
      'const createTextDecoder',
      'const cloneRetryOptions',
      'const cloneSearchParametersForInitHook',
      'const validateJsonWithSchema',
      'static #normalizeSearchParams',
      '#calculateDelay',
      'async #calculateRetryDelay',
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
      'async #runAfterResponseHooks',
      '#getNormalizedOptions',
      '#assignRequest',
      '#createManagedSignal',
      '#getResponseRequest',
    ],
  },
  {
    module: 'core/Ky.js',
    body: '{}',
    starts: [
      'function cloneInitHookOptions',
      '#decorateResponse',
      'async #runBeforeRequestHooks',
      '#consumeReturnedResponseFromBeforeRetryHook',
    ],
  },
  {
    module: 'core/Ky.js',
    body: '{ throw error; }',
    starts: ['async #throwProcessedError', 'async #retryFromError'],
  },
  { module: 'core/Ky.js', body: '{ return request; }', starts: ['#wrapRequestWithUploadProgress'] },
];

/** Blocks whose condition no call fulfils. */
const unreachedBlocks: LeftOut = {
  module: 'core/Ky.js',
  starts: [
    'for (const [type, mimeType] of Object.entries(responseTypes))',
    "if (typeof ky.#options.timeout === 'number'",
    "if (typeof ky.#options.totalTimeout === 'number'",
    'if (ky.#options.onDownloadProgress)',
    'if (isResponseInstance(response))',
    'if (!isResponseInstance(response))',
    'if (beforeRequestResponse !== undefined)',
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
  ],
};

/** Leaves more than half of ky's weight out of the build. */
export const leanKy = lean({
  name: 'ky',
  folder: 'distribution',
  modules: unreachedModules,
  blocks: [...unreachedFunctions, unreachedBlocks],
});
