// `authorize` receives the input of each method. The compiler tests this file.
import type { CallOptions, OperationName, Resources } from '../../src/index.ts';
import type { OperationInputs, ProxyCall } from '../../src/proxy/index.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** First argument of a method; `undefined` if that is the options of the call. */
type Input<Method> = Method extends (input: infer Given, options?: CallOptions) => unknown
  ? CallOptions extends Given
    ? undefined
    : Given
  : Method extends (input?: infer Given, options?: CallOptions) => unknown
    ? Given
    : never;

type MethodOf<Name> = Name extends `${infer Resource extends keyof Resources}.${infer Method}`
  ? Resources[Resource][Method & keyof Resources[Resource]]
  : never;

/** Operations whose input differs from that of their method. */
type Differing = {
  [Name in OperationName]: Same<OperationInputs[Name], Input<MethodOf<Name>>> extends true ? never : Name;
}[OperationName];

export const differing: [Differing] extends [never] ? 'none' : Differing = 'none';

/** The operations of the inputs are those of the service. */
export const unknownOperation: Same<keyof OperationInputs, OperationName> = true;

/** A comparison of the operation narrows the input. */
export const emailOf = (call: ProxyCall): string | undefined =>
  call.operation === 'legacy.identify' ? call.input.email : undefined;
