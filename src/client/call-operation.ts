import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { endpoints, type OperationName } from '../resources/endpoints.ts';
import type { Resources } from '../resources/index.ts';
import type { OperationResults } from '../resources/operation-types.ts';

/** Calls the method that an operation is named after: all that a double of a client has. The method checks the input. */
export function callOperation<Name extends OperationName>(
  client: Resources,
  name: Name,
  input: unknown,
  options?: CallOptions,
): ApiPromise<OperationResults[Name]> {
  const [resource, method] = name.split('.') as [keyof Resources, string];
  const methods = client[resource];
  // The compiler does not know that the two parts of a name belong together.
  const perform: (...args: readonly unknown[]) => ApiPromise<OperationResults[Name]> = Reflect.get(
    methods,
    method,
  );
  const inputs = endpoints[name].inputIn === 'nothing' ? [] : [input];
  return perform.apply(methods, options === undefined ? inputs : [...inputs, options]);
}
