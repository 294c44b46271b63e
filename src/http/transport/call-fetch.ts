import { FetchMistake, isOfNetwork } from '../response/fetch-mistake.ts';

/** The part of a response of any `fetch` that says if it can be read. */
interface ReadableResponse {
  readonly headers: unknown;
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  readonly text: unknown;
}

/**
 * Calls a `fetch`. Rejects with a {@link FetchMistake} if it returns no response that can be read or, one that the user
 * has given, if it throws what is no failure of the network.
 */
export async function callFetch<Init extends { readonly signal: AbortSignal }, R extends ReadableResponse>(
  fetch: (url: string, init: Init) => Promise<R>,
  isGiven: boolean,
  url: string,
  init: Init,
): Promise<R> {
  let response: R;
  try {
    response = await fetch(url, init);
  } catch (error) {
    const isMistake = isGiven && !init.signal.aborted && !holds(() => isOfNetwork(error));
    throw isMistake ? new FetchMistake(error) : error;
  }
  if (!holds(() => typeof response.text === 'function' && 'get' in Object(response.headers)))
    throw new FetchMistake(new TypeError('fetch returned no response'));
  if (response.bodyUsed || Object(response.body).locked)
    throw new FetchMistake(new TypeError('the body of the response was read before'));
  return response;
}

/** Returns the result of a test of a value of the user's; `false` if the value cannot be read. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
