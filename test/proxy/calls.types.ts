// `authorize` receives the input of each method. The compiler tests this file.
import type {
  CallOptions,
  EmailMarketingClient,
  OperationInputs,
  OperationName,
  Resources,
} from '../../src/index.ts';
import {
  type CallStore,
  createProxyHandler,
  type ProxyCall,
  type ProxyOptions,
} from '../../src/proxy/index.ts';

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

declare const client: EmailMarketingClient;

/** The operations in `allow` are those that `authorize` gets. */
export const narrowed = [
  createProxyHandler(client, {
    allow: ['legacy.identify'],
    authorize: (_, { operation, input }) => {
      const asked: Same<typeof operation, 'legacy.identify'> = true;
      return asked && { input: { email: input.email, firstName: input.firstName } };
    },
  }),
  createProxyHandler(client, {
    allow: ['legacy.identify', 'tags.create'],
    authorize: (_, call) => {
      const asked: Same<typeof call.operation, 'legacy.identify' | 'tags.create'> = true;
      // @ts-expect-error -- a tag has no email
      const email = call.input.email;
      return asked && (call.operation === 'tags.create' ? call.input.name : email) !== undefined;
    },
  }),
  createProxyHandler(client, {
    allow: ['legacy.identify'],
    // @ts-expect-error -- a misspelled field
    authorize: async () => ({ input: { emial: 'ada@example.com' } }),
  }),
  createProxyHandler(client, {
    allow: ['legacy.identify', 'tags.create'],
    // @ts-expect-error -- neither an identify nor a tag
    authorize: () => ({ input: { name: 5 } }),
  }),
  createProxyHandler(client, {
    allow: ['legacy.identify', 'tags.create'],
    authorize: async (_, call) => {
      if (call.operation === 'tags.create') return { input: { name: call.input.name } };
      return { input: { ...call.input, email: 'ada@example.com' } };
    },
  }),
  // @ts-expect-error -- there is no such operation
  createProxyHandler(client, { allow: ['tags.rename'], authorize: 'public' }),
  createProxyHandler(client, { authorize: (_, { operation }) => operation === 'tags.create' }),
];

declare const allOptions: ProxyOptions;
export const withAllOptions = createProxyHandler(client, allOptions);

const values = new Map<string, string>();
const get = (id: string) => values.get(id);

/** A store returns something truthy if it stored a value, at once or later, as clients of databases do. */
export const stores: readonly CallStore[] = [
  { get, set: (id, value) => values.set(id, value).has(id) },
  { get, set: async (_, __, { ifAbsent }) => (ifAbsent ? null : 'OK') },
  // The 0 or 1 of SETNX.
  { get, set: async () => 0 },
];
