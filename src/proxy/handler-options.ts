import { literalOrType } from '../core/json.ts';
import {
  aFunction,
  anArray,
  anObjectOf,
  aTimeLimit,
  aWholeNumber,
  checkConfiguration,
  type OptionRule,
  type OptionRules,
  required,
} from '../core/option-rules.ts';
import type { OperationInputs, OperationResults } from '../resources/operation-types.ts';
import { type OperationName, operationNames } from '../resources/operations.ts';

/** Call that a web page requests. Comparing `operation` narrows the type of `input`. */
export type ProxyCall<Name extends OperationName = OperationName> = {
  readonly [Each in Name]: {
    readonly operation: Each;
    /** Valid input of the operation. */
    readonly input: OperationInputs[Each];
  };
}[Name];

/**
 * Decision of `authorize` about a call: `true` allows it unchanged, `{ input }` replaces its input, and anything else
 * rejects it, including `{ input }` with other members.
 */
export type Decision<Name extends OperationName = OperationName> =
  | boolean
  | undefined
  | { readonly input: OperationInputs[Name] };

/** Decides whether a request may call one of the operations in `allow`. */
export type Authorize<Name extends OperationName = OperationName> = (
  request: Request,
  call: ProxyCall<Name>,
) => Decision<Name> | Promise<Decision<Name>>;

/** Functions by operation that return the part of a result that a web page may see. They may be asynchronous. */
export type ProxyOutput = {
  readonly [Name in keyof OperationResults]?:
    | ((result: OperationResults[Name], request: Request) => unknown)
    | undefined;
};

/**
 * Results of recent calls by call id, which several servers can share. Values are opaque: store them unchanged. Each
 * function has a time limit of five seconds.
 */
export interface CallStore {
  /** Returns the value of an id, or `null` or `undefined`. */
  get(id: string): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Stores the value of an id, and returns a truthy value, as Redis clients do. With `ifAbsent`, it must not replace an
   * existing value, and returns a falsy value instead, in one atomic step: in Redis, `SET` with `NX`.
   */
  set(id: string, value: string, options: { readonly ifAbsent: boolean }): unknown;
}

/** Options of {@link createProxyHandler}. Everything is denied by default. */
export interface ProxyOptions<Name extends OperationName = OperationName> {
  /**
   * Operations that a web page may call, such as `legacy.identify`. `contacts.all` and `contacts.findByEmail` need
   * `contacts.list`.
   * @defaultValue none
   */
  readonly allow?: readonly Name[] | undefined;
  /**
   * Called for each request after its input is validated. It can reject the call, or replace the input, so that
   * visitors can only identify themselves. `'public'` lets everyone make every allowed call with any input.
   */
  readonly authorize: Authorize<Name> | 'public';
  /**
   * Part of a result that a web page may see, by operation:
   * `{ 'contacts.list': contacts => contacts.map(({ id }) => ({ id })) }`.
   * @defaultValue the whole result of a read, including unknown fields; `id` and `name` of a creation; `status` and
   * `message` of other writes
   */
  readonly output?: ProxyOutput | undefined;
  /**
   * Origins other than the handler's own whose web pages may call, such as `https://www.example.com`, or for apps
   * `capacitor://localhost` or `chrome-extension://…`. Wildcards are not supported.
   * @defaultValue none: only web pages of the same origin
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Host names that requests may use, without a port, such as `www.example.com`. Protects a server in a private network
   * from DNS rebinding.
   * @defaultValue every host
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Store that several servers share, so that a call that arrives twice is performed only once. Reads do not use it.
   * @defaultValue 10 MB in the memory of this process
   */
  readonly store?: CallStore | undefined;
  /**
   * Maximum size of a request's body, in bytes.
   * @defaultValue 65 536
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Time in which the request's body must arrive, in milliseconds; `Infinity` for no limit.
   * @defaultValue 10 000
   */
  readonly bodyTimeout?: number | undefined;
  /**
   * Called with each failure that no visitor caused: what `authorize`, `output`, `store` or a function of the client's
   * options throws, errors to which the handler responds with 500 or more, such as an outage of the service, and errors
   * with `scope` `'account'`, such as a wrong key. The web page receives only the class, `outcome`, `retryable`, HTTP
   * status, `retryAfterMs`, and the issues of its own input. Errors that it throws are ignored.
   * @defaultValue `console.error`
   */
  readonly onError?: ((error: unknown, operation: string) => unknown) | undefined;
}

/** {@link ProxyOptions} with defaults applied. */
export type ProxySettings = ReturnType<typeof readOptions>;

const aListOf = (expected: string, isValid: (text: string) => boolean): OptionRule => ({
  ...anArray,
  issuesOf: value =>
    (value as readonly unknown[]).flatMap((item, index) =>
      typeof item === 'string' && isValid(item)
        ? []
        : [{ path: `[${index}]`, expected, received: literalOrType(item) }],
    ),
});

/** Returns `true` for a host without a port, a path or a wildcard. Only an address in brackets has colons. */
const isHostname = (text: string): boolean =>
  /^(?:[^*/:?#@\\]+|\[.*\])$/.test(text) && URL.canParse(`http://${text}`);

const optionRules: OptionRules<keyof ProxyOptions> = {
  allow: aListOf(`one of ${operationNames.join(', ')}`, text => operationNames.some(name => name === text)),
  authorize: required({
    expected: "a function that decides on each call, or 'public'",
    isValid: value => value === 'public' || typeof value === 'function',
  }),
  output: anObjectOf('output', Object.fromEntries(operationNames.map(name => [name, aFunction]))),
  allowedOrigins: aListOf(
    'an origin such as https://www.example.com or capacitor://localhost, without path or wildcard',
    text => isOrigin(text) || appOrigin.test(text),
  ),
  allowedHosts: aListOf('a host name such as www.example.com, without port or wildcard', isHostname),
  store: {
    expected: 'an object with the functions get and set',
    isValid: value => [Object(value).get, Object(value).set].every(member => typeof member === 'function'),
  },
  maxBodyBytes: aWholeNumber(1),
  bodyTimeout: aTimeLimit,
  onError: aFunction,
};

const logFailure = (error: unknown, operation: string): unknown =>
  console.error(`email-marketing-client: the handler failed in ${operation}`, error);

export function readOptions<Name extends OperationName>(options: Partial<ProxyOptions<Name>> = {}) {
  checkConfiguration('createProxyHandler', options, optionRules);
  const given = options as ProxyOptions;
  const { allow = [], output = {}, allowedOrigins = [], onError = logFailure } = given;
  const { maxBodyBytes = 65_536, bodyTimeout = 10_000 } = given;
  return { ...given, allow, output, allowedOrigins, onError, maxBodyBytes, bodyTimeout };
}

/** Returns `true` for an origin as browsers write it, so that it cannot be mistaken for another host. */
export function isOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Origin of the pages of an app or extension, such as `tauri://localhost` and `chrome-extension://abc`. */
const appOrigin = /^(?!https?:|file:)[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/;
