// A user's project that declares the names of its account: the compiler rejects all others.
import {
  EmailMarketingClient,
  increment,
  type OperationInputs,
  type RecordEventParams,
  type TagName,
} from 'email-marketing-client';
import { createBrowserClient } from 'email-marketing-client/browser';
import { createProxyHandler } from 'email-marketing-client/proxy';

declare module 'email-marketing-client' {
  interface AccountTypes {
    tags: 'customer' | 'vip';
    customFields: { plan: 'free' | 'pro'; points: number; note?: string };
    // biome-ignore lint/complexity/noBannedTypes: how many people write that an event has no data
    events: { 'Order placed': { total: string; items?: number }; 'Signed up': {} };
  }
}

const server = new EmailMarketingClient();
const page = createBrowserClient({ url: '/api/email-marketing' });
const email = 'ada@example.com';
const identifier = email;

for (const { legacy, events, tags } of [server, page]) {
  legacy.identify({ email, tags: ['vip'], customFields: { plan: 'pro', points: 5 } });
  legacy.identify({ email, customFields: { points: increment(5), note: 'hello' } });
  legacy.track({ email, addTags: ['customer'], removeTags: ['vip'] });
  tags.create({ name: 'vip' });
  events.record({ name: 'Order placed', identifier, data: { total: '9.50' } });
  events.record({ name: 'Signed up', identifier });

  // @ts-expect-error -- the tag is not declared
  legacy.identify({ email, tags: ['VIP'] });
  // @ts-expect-error -- the tag is not declared
  legacy.track({ email, addTags: ['vip', 'costumer'] });
  // @ts-expect-error -- the tag is not declared
  tags.create({ name: 'Vip' });
  // @ts-expect-error -- the field is not declared
  legacy.identify({ email, customFields: { Plan: 'pro' } });
  // @ts-expect-error -- a text field cannot be incremented
  legacy.identify({ email, customFields: { plan: increment(5) } });
  // @ts-expect-error -- a number field accepts an increment, and no other text
  legacy.identify({ email, customFields: { points: '5' } });
  // @ts-expect-error -- the event is not declared
  events.record({ name: 'order placed', identifier, data: { total: '9.50' } });
  // @ts-expect-error -- the event needs its data
  events.record({ name: 'Order placed', identifier });
  // @ts-expect-error -- the order lacks this field
  events.record({ name: 'Order placed', identifier, data: { total: '9.50', totl: '9.50' } });
  // @ts-expect-error -- the event has no data
  events.record({ name: 'Signed up', identifier, data: { total: '9.50' } });
}

export const vip: TagName = 'vip';
export const order = (total: string): RecordEventParams => ({
  name: 'Order placed',
  identifier,
  data: { total },
});

export const input: OperationInputs['events.record'] = { name: 'Signed up', identifier };
// @ts-expect-error -- the event is not declared
export const otherInput: OperationInputs['events.record'] = { name: 'signed up', identifier };

/** The handler's `authorize` gets the names that are declared. */
createProxyHandler(server, {
  allow: ['events.record'],
  authorize: (_, { input }) => {
    const name: 'Order placed' | 'Signed up' = input.name;
    return name === 'Signed up';
  },
});
createProxyHandler(server, {
  allow: ['legacy.identify'],
  authorize: async (_, { input }) => ({ input: { email, tags: ['vip'], firstName: input.firstName } }),
});
createProxyHandler(server, {
  allow: ['legacy.identify'],
  // @ts-expect-error -- the tag is not declared
  authorize: async (_, { input }) => ({ input: { ...input, tags: ['VIP'] } }),
});
