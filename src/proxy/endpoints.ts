import { ConfigurationError, type Issue } from '../errors.ts';
import { checkConfiguration, invalidOption } from '../http/check-options.ts';
import { invalidRequest } from '../http/invalid-request.ts';
import { isObject } from '../http/json.ts';
import { aFunction, anObject, anything, isOptions, type OptionRules } from '../http/option-rules.ts';
import { parameterNames } from '../operations/endpoint-path.ts';
import { type EndpointRequest, endpointOperation, isReadMethod } from '../operations/endpoint-request.ts';
import type { WireEndpointRequest } from '../protocol.ts';
import type { AllowedEndpoint } from './options.ts';

/** Endpoints that pages may call. */
export type AllowedEndpoints = readonly AllowedEndpoint[];

/** Rules of an entry; `endpointOperation` checks all but its `output`. */
const endpointRules: OptionRules<keyof AllowedEndpoint> = {
  api: anything,
  method: anything,
  path: anything,
  idempotent: anything,
  output: aFunction,
};

/** Members of a request that no page may send. */
const serverNames = ['schema', 'idempotent'] as const satisfies Exclude<
  keyof EndpointRequest,
  keyof WireEndpointRequest
>[];

/** Returns the issues of a request for an endpoint; none where it is valid. Its path is not yet compared. */
export function endpointIssues(input: unknown): readonly Issue[] {
  for (const path of serverNames)
    if (isObject(input) && Object.hasOwn(input, path))
      return [{ path, expected: 'absent: the server decides on it', received: 'a value' }];
  const checked = endpointOperation(input, String).input?.validate(undefined);
  return checked?.ok === false ? checked.issues : [];
}

/** Returns the last entry of `allow` for exactly the interface, method and path of a request. */
export function allowedEndpoint(endpoints: AllowedEndpoints, input: unknown): AllowedEndpoint | undefined {
  if (!isObject(input)) return undefined;
  const { api = 'rest', method, path } = input;
  return endpoints.findLast(
    entry => (entry.api ?? 'rest') === api && entry.method === method && entry.path === path,
  );
}

/** Returns `true` if calling an endpoint twice is the same as calling it once. */
export const isIdempotentEndpoint = ({ method, idempotent }: AllowedEndpoint): boolean =>
  idempotent ?? isReadMethod(method);

const pathOf = ({ path }: AllowedEndpoint) => (typeof path === 'string' ? path : '');

/** Validates the entries of `allow` that are endpoints. */
export function readEndpoints(entries: readonly unknown[]): AllowedEndpoints {
  return entries.map(entry => {
    if (!isOptions(entry)) throw invalidOption('allow[]', anObject.expected);
    checkConfiguration('an endpoint in allow', entry, endpointRules, 'allow[].');
    const { output, ...given } = entry as unknown as AllowedEndpoint;
    const names = parameterNames(pathOf(given));
    const example = { ...given, params: Object.fromEntries(names.map(name => [name, 'x'])) };
    const checked = endpointOperation(example, String).input?.validate(undefined);
    if (checked?.ok === false)
      throw new ConfigurationError(invalidRequest('Option allow', checked.issues).message, {
        option: 'allow',
      });
    return { ...given, output };
  });
}
