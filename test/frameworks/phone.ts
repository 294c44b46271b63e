/**
 * A phone that runs a bundle of React Native: React Native's own JavaScript, such as its `fetch`, `URL` and
 * `AbortController`, above a stand-in for its native code. The engine is V8, in a context that has the language and none
 * of Node's globals: Hermes' own virtual machine comes for phones alone.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { createContext, runInContext } from 'node:vm';

/** Request of `XMLHttpRequest`, as React Native gives it to native code. */
interface Query {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly data: { readonly string?: string };
  readonly responseType: 'base64' | 'blob' | 'text';
}

/** Tells React Native of an event. */
type Emit = (event: string, ...args: readonly unknown[]) => void;

/** Module `Networking`, and the modules that hold the bodies of responses. */
function network(emit: Emit) {
  const requests = new Map<number, ClientRequest>();
  const blobs = new Map<string, string>();
  const received = (id: number, text: string, { responseType }: Query) => {
    const blobId = `response-${id}`;
    blobs.set(blobId, text);
    const blob = { blobId, offset: 0, size: Buffer.byteLength(text), type: 'application/json' };
    emit('didReceiveNetworkData', id, responseType === 'blob' ? blob : text);
    emit('didCompleteNetworkResponse', id, '', false);
  };
  const responded = (id: number, status: number | undefined, headers: IncomingHttpHeaders, url: string) =>
    emit('didReceiveNetworkResponse', id, status, { ...headers }, url);
  return {
    Networking: {
      sendRequest(query: Query, started: (id: number) => void) {
        const id = requests.size + 1;
        const { url, method, headers, data } = query;
        const sent = request(url, { method, headers }, async response => {
          responded(id, response.statusCode, response.headers, url);
          received(id, (await response.setEncoding('utf8').toArray()).join(''), query);
        });
        sent.on('error', ({ message }) => emit('didCompleteNetworkResponse', id, message, false));
        requests.set(id, sent.end(data.string));
        started(id);
      },
      abortRequest: (id: number) => requests.get(id)?.destroy(),
    },
    BlobModule: {
      getConstants: () => ({ BLOB_URI_SCHEME: 'blob', BLOB_URI_HOST: null }),
      addNetworkingHandler() {},
      createFromParts: (parts: readonly { data: string }[], id: string) =>
        blobs.set(id, parts.map(({ data }) => data).join('')),
      release: (id: string) => blobs.delete(id),
    },
    FileReaderModule: { readAsText: async ({ blobId }: { blobId: string }) => blobs.get(blobId) },
  };
}

/** What native code adds to the engine: timers, modules, and what Hermes has besides the language. */
function nativeGlobals() {
  type Callable = { emit(event: string, args: readonly unknown[]): void };
  const callable = new Map<string, () => Callable>();
  const emit: Emit = (event, ...args) =>
    setImmediate(() => callable.get('RCTDeviceEventEmitter')?.().emit(event, args));
  const isTesting = false;
  const reactNativeVersion = { major: 0, minor: 88, patch: 1 };
  const modules: Readonly<Record<string, object>> = {
    ...network(emit),
    RNGetRandomValues: { getRandomBase64: (bytes: number) => randomBytes(bytes).toString('base64') },
    NativeMicrotasksCxx: { queueMicrotask },
    NativePerformanceCxx: { now: () => performance.now() },
    PlatformConstants: { getConstants: () => ({ systemName: 'iOS', isTesting, reactNativeVersion }) },
    ExceptionsManager: { reportException() {} },
  };
  return {
    RN$Bridgeless: true,
    RN$registerCallableModule: (name: string, module: () => Callable) => callable.set(name, module),
    __turboModuleProxy: (name: string) => modules[name],
    nativeModuleProxy: {},
    HermesInternal: { hasPromise: () => true },
    setTimeout: (done: () => void, ms?: number) => Number(setTimeout(done, ms)),
    clearTimeout,
    setInterval: (done: () => void, ms?: number) => Number(setInterval(done, ms)),
    clearInterval,
    atob,
    btoa,
  };
}

/** Runs a bundle. Returns its global object, which has `globals` from the start. */
export function runOnPhone(bundle: string, globals: object): Readonly<Record<string, unknown>> {
  const context = createContext({ ...nativeGlobals(), ...globals });
  runInContext('var global = globalThis;', context);
  runInContext(readFileSync(bundle, 'utf8'), context, { filename: bundle });
  return context;
}
