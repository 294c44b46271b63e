import * as config from '../config.ts';
import { type OperationName, operations } from '../resources/operations.ts';
import type { ProxyCall } from './calls.ts';

/**
 * What `authorize` says of a call: `true` lets it through as it is, `{ input }` lets it through with this input in
 * place of the page's, anything else refuses it.
 */
export type Decision = boolean | undefined | { readonly input: unknown };

/** Decides whether whoever sent the request may make the call. */
export type Authorize = (request: Request, call: ProxyCall) => Decision | Promise<Decision>;

/** Options of {@link createProxyHandler}. What is left out is closed. */
export interface ProxyOptions {
  /**
   * The operations that a page may ask for, such as `legacy.identify`. A walk such as `contacts.all` needs its listing.
   * @defaultValue none
   */
  readonly allow?: readonly OperationName[] | undefined;
  /**
   * Asked for each call, after its input has been checked. It may refuse the call, or replace the input, so that a
   * visitor can identify nobody else. `'public'` lets everyone make every allowed call with any input.
   */
  readonly authorize: Authorize | 'public';
  /**
   * Origins other than the handler's own whose pages may call, such as `https://www.example.com`.
   * @defaultValue none: pages of the same origin alone
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * The largest request body that is read, in bytes.
   * @defaultValue 65 536
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Milliseconds in which the request's body must have come; `Infinity` for no limit.
   * @defaultValue 10 000
   */
  readonly bodyTimeout?: number | undefined;
  /**
   * Told of what went wrong on the server's side and is not told to the page: what `authorize` throws, for one.
   * @defaultValue `console.error`
   */
  readonly onError?: ((error: unknown, operation: string) => void) | undefined;
}

/** {@link ProxyOptions} with nothing left open. */
export interface ProxySettings {
  readonly allow: ReadonlySet<string>;
  readonly authorize: Authorize;
  readonly origins: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  readonly bodyTimeout: number;
  readonly onError: (error: unknown, operation: string) => void;
}

/** Checks the options; what is missing or unusable is refused when the handler is made. */
export function readOptions(options: ProxyOptions): ProxySettings {
  const { allow = [], authorize, origins = [], onError = logError } = options ?? {};
  for (const name of allow)
    if (!Object.hasOwn(operations(), name))
      throw config.unusable('allow', `a list of operations; there is none named ${String(name)}`);
  if (authorize !== 'public' && typeof authorize !== 'function')
    throw config.unusable('authorize', "a function that decides on each call, or 'public'");
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw config.unusable('origins', 'a list of origins such as https://www.example.com');
  return {
    allow: new Set(allow),
    authorize: authorize === 'public' ? () => true : authorize,
    origins: new Set(origins),
    maxBodyBytes: config.count('maxBodyBytes', options.maxBodyBytes, 65_536, 1),
    bodyTimeout: config.milliseconds('bodyTimeout', options.bodyTimeout, 10_000),
    onError: config.callable('onError', onError),
  };
}

const logError = (error: unknown, operation: string) =>
  console.error(`email-marketing-client: the proxy failed at ${operation}`, error);
