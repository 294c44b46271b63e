// The type of a situation that leads to an error message, and helpers to make situations.
import { type ClientOptions, EmailMarketingClient } from '../../../src/index.ts';

/** A situation in words, and code that fails in the same way. */
export type Situation = readonly [title: string, provoke: () => unknown];

/** A value that the compiler would reject. */
export const untyped = (value: unknown) => value as never;

/** Options of a client that makes one attempt per call. */
export const usable = {
  baseUrl: 'https://api.example.com',
  apiKey: 'the-key-of-the-team',
  teamId: 'the-team',
  maxRetries: 0,
  logLevel: 'off',
} as const satisfies ClientOptions;

/** Makes a client with some options replaced. */
export const clientWith = (options: ClientOptions = {}): EmailMarketingClient =>
  new EmailMarketingClient({ ...usable, fetch: empty, ...options });

/** Makes a client with options that the compiler would reject. */
export const wrongClient = (options: object): EmailMarketingClient => clientWith(untyped(options));

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Delay of each response, in milliseconds. */
const responseDelayMs = 100;

/** Returns a `fetch` whose every response is this one; text is sent as it is, anything else as JSON. */
export function responding(status: number, body: unknown, headers: Record<string, string> = {}): Fetch {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return async () => {
    await new Promise(resolve => setTimeout(resolve, responseDelayMs));
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
  };
}

/** A `fetch` that responds to GET with an empty page, otherwise with an empty record. */
const empty: Fetch = async (_, { method }) => Response.json(method === 'GET' ? [] : {});

/** Returns a `fetch` that fails as Node's does, with this code as the reason. */
export function failing(code: string, syscall?: string): Fetch {
  return () => {
    const cause = Object.assign(new Error(code), { code, syscall });
    return Promise.reject(new TypeError('fetch failed', { cause }));
  };
}

/** A `fetch` that gets no response, and rejects when its signal aborts. */
export const silent: Fetch = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A `fetch` whose body never ends. */
export const endless: Fetch = async () => {
  const body = new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('[')) });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};

/** A `fetch` whose body breaks off. */
export const brokenOff: Fetch = async () => {
  const cause = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const body = new ReadableStream({
    pull: controller => controller.error(new TypeError('terminated', { cause })),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};
