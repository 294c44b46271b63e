// The types of the handler. The compiler tests this file.
import type { EmailMarketingClient } from '../../src/index.ts';
import {
  type CallStore,
  createProxyHandler,
  type ProxyCall,
  type ProxyOptions,
} from '../../src/proxy/index.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

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
    // @ts-expect-error -- not an identify, and not a tag
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
export const handler = createProxyHandler(client, allOptions);

const values = new Map<string, string>();
const get = (id: string) => values.get(id);

/** A store returns something truthy if it stored a value, at once or later, as clients of databases do. */
export const stores: readonly CallStore[] = [
  { get, set: (id, value) => values.set(id, value).has(id) },
  { get, set: async (_, __, { ifAbsent }) => (ifAbsent ? null : 'OK') },
  // The 0 or 1 of SETNX.
  { get, set: async () => 0 },
];
