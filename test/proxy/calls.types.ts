import type { InputOf } from '../../src/core/operation.ts';
import type { OperationInputs, ProxyCall } from '../../src/proxy/index.ts';
import type { Operations } from '../../src/resources/operations.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Operations that take nothing have no rule for it. */
type Taken<T> = unknown extends T ? undefined : T;

/** The inputs that `authorize` is told of are those of the operations, one by one and all of them. */
export const inputs: {
  [Name in keyof Operations]: Same<OperationInputs[Name], Taken<InputOf<Operations[Name]>>>;
} = {
  'domains.create': true,
  'lists.create': true,
  'lists.list': true,
  'lists.delete': true,
  'tags.create': true,
  'tags.delete': true,
  'contacts.list': true,
  'postTags.list': true,
  'postTags.get': true,
  'postCategories.create': true,
  'senders.list': true,
  'templates.delete': true,
  'campaigns.delete': true,
  'events.record': true,
  'legacy.identify': true,
  'legacy.track': true,
};

/** Comparing the operation tells which input it is. */
export const emailOf = (call: ProxyCall): string | undefined =>
  call.operation === 'legacy.identify' ? call.input.email : undefined;
