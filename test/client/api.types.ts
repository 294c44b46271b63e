// The types of calls, inputs, results and errors. The compiler tests this file; none of its functions is called.
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import type {
  AnyEmailMarketingError,
  ApiPromise,
  CampaignId,
  ClientOptions,
  Contact,
  EmailMarketingClient,
  EmailMarketingError,
  ErrorName,
  List,
  ListId,
  OperationName,
  PaginatorOptions,
  SafeResult,
  StandardSchema,
  Tag,
  TemplateId,
} from '../../src/index.ts';
import * as library from '../../src/index.ts';
import type { ReceivedRequest } from '../../src/testing/index.ts';

declare const client: EmailMarketingClient;
declare const list: List;
declare const tag: Tag;
declare const contact: Contact;
declare const text: string;

// The ids of each resource have their own type.
export const ids = () => {
  client.lists.delete(list.id);
  client.tags.delete(tag.id);
  client.tags.delete(text);
  client.tags.delete('A1b2C3d4E5f6G7h8I9j0K1');
  client.lists.delete(contact.lists[0] ?? '');
  // @ts-expect-error -- the id of a tag is not the id of a list
  client.lists.delete(tag.id);
  // @ts-expect-error -- the id of a contact is not the id of a post tag
  client.postTags.get(contact.id);
  // @ts-expect-error -- a tag of a contact is not the id of a campaign
  client.campaigns.delete(contact.tags[0] ?? '');
  // An event accepts the id of a contact, an email, or any other text.
  client.events.record({ name: 'e', identifier: contact.id });
  expectTypeOf<ListId>().toExtend<string>();
  expectTypeOf<CampaignId>().not.toExtend<TemplateId>();
};

// The compiler checks options.
export const options = (acquire: () => Promise<void>, apiKey: string | undefined): ClientOptions[] => [
  { throttle: { acquire, concurrency: 2 } },
  { throttle: { acquire: (): PromiseLike<number> => acquire().then(() => 1) } },
  { throttle: { requestsPerSecond: 5, concurrency: 2 } },
  // @ts-expect-error -- a limiter decides on the rate itself
  { throttle: { acquire, requestsPerSecond: 5 } },
  {
    hooks: [
      { onError: ({ outcome }) => outcome },
      { onRetry: ({ retryInMs, waitMs }) => retryInMs - waitMs },
      { onCancel: ({ callId }) => callId },
    ],
  },
  { logger: { ...console, warn: (_, fields) => expectTypeOf(fields.operation).toBeString() } },
  // @ts-expect-error -- an unset variable would silently select another account
  { apiKey },
];

// The operations of the sandbox have the names that the main entry exports.
expectTypeOf<ReceivedRequest['operation']>().toEqualTypeOf<OperationName | undefined>();

export const pageOptions: PaginatorOptions = { timeout: 5_000, maxRetries: 0, pageSize: 50 };

// The compiler checks inputs.
export const inputs = () => {
  // @ts-expect-error -- a name is required
  client.tags.create({});
  // @ts-expect-error -- there is no such field
  client.lists.list({ page: 2 });
  client.legacy.identify({ email: 'a@x.test', customFields: { age: 7, plan: 'pro' } });
  // @ts-expect-error -- custom fields are strings and numbers
  client.legacy.identify({ email: 'a@x.test', customFields: { age: true } });
  // Forms and GraphQL send `null` for empty fields.
  client.legacy.identify({ email: 'a@x.test', firstName: null, birthday: null, newEmail: null, tags: null });
  client.legacy.identify({ email: 'a@x.test', customFields: null });
  client.legacy.identify({ email: 'a@x.test', customFields: { plan: null, age: undefined } });
  client.events.record({ name: 'e', identifier: 'a@x.test', data: { plan: null, age: undefined } });
  // @ts-expect-error -- an email is required
  client.legacy.identify({ email: null });
  client.legacy.track({ email: 'a@x.test', removeTags: ['trial'] });
  // @ts-expect-error -- a tag to add or to remove is required
  client.legacy.track({ email: 'a@x.test' });
  // @ts-expect-error -- post tags have no query
  client.postTags.list({ limit: 1 } satisfies { limit: number });
  // @ts-expect-error -- records are readonly
  contact.email = 'b@x.test';
};

// `ok` narrows a result to its data or its error.
export const results = () => {
  const read = (result: SafeResult<Tag>): string => (result.ok ? result.data.name : result.error.outcome);
  // @ts-expect-error -- without a check of `ok`, there may be no data
  const blind = (result: SafeResult<Tag>): Tag => result.data;
  const destructured = async (call: ApiPromise<Tag>): Promise<string> => {
    const { data, error } = await call.safe();
    return error ? error.outcome : data.name;
  };
  return { read, blind, destructured };
};

/** The `name` of every error class that is exported. */
type Exported = {
  [K in keyof typeof library]: (typeof library)[K] extends abstract new (
    ...args: never[]
  ) => EmailMarketingError
    ? K
    : never;
}[keyof typeof library];

// Error names are a closed set: the classes that are exported.
export const errorNames = () => {
  expectTypeOf<ErrorName>().toEqualTypeOf<Exported>();
};

// The name of an error narrows it, and a `switch` over the names can be exhaustive.
export const detailOf = (error: AnyEmailMarketingError): unknown => {
  switch (error.name) {
    case 'RateLimitError':
      return error.retryAfterMs;
    case 'ConfigurationError':
      return error.option;
    case 'InvalidRequestError':
    case 'InvalidResponseError':
      return error.issues[0]?.path;
    case 'TimeoutError':
      return error.phase;
    case 'EmailMarketingError':
    case 'ConnectionError':
      return error.code;
    case 'CallAbortedError':
      return error.cause;
    default:
      return error.response.status;
  }
};

// `isInstance` of the base class and `.safe()` give the union of all classes; `isInstance` of another gives that class.
export const errorUnion = (error: unknown, result: SafeResult<Tag>) => {
  expectTypeOf<AnyEmailMarketingError['name']>().toEqualTypeOf<ErrorName>();
  if (library.EmailMarketingError.isInstance(error))
    expectTypeOf(error).toEqualTypeOf<AnyEmailMarketingError>();
  if (!result.ok) expectTypeOf(result.error).toEqualTypeOf<AnyEmailMarketingError>();
  // A queue asks without a look at the class.
  if (result.error?.retryable) expectTypeOf(result.error.retryAfterMs).toEqualTypeOf<number | undefined>();
  if (library.RateLimitError.isInstance(error)) {
    expectTypeOf(error.name).toEqualTypeOf<'RateLimitError'>();
    expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
  }
  if (library.ApiError.isInstance(error)) expectTypeOf(error.response.status).toBeNumber();
};

// The result of `client.request` has the type of the schema or of a type argument, or is unknown.
export const requests = async () => {
  const byHand = {} as StandardSchema<Contact>;
  const request = { method: 'GET', path: '/contact' } as const;
  const byZod = await client.request({ ...request, schema: z.object({ a: z.string().default('') }) });
  expectTypeOf(byZod).toEqualTypeOf<{ a: string }>();
  const withoutLibrary = await client.request({ ...request, schema: byHand });
  expectTypeOf(withoutLibrary).toEqualTypeOf<Contact>();
  expectTypeOf(await client.request(request)).toBeUnknown();
  expectTypeOf(await client.request<Contact>(request)).toEqualTypeOf<Contact>();
  // @ts-expect-error -- the type of a variable does not describe a response
  const unchecked: Contact = await client.request(request);
  // @ts-expect-error -- the schema has another output
  client.request<Contact>({ ...request, schema: z.object({ a: z.string() }) });
  // @ts-expect-error -- there is no such option
  client.request({ ...request, qurey: {} });
  // @ts-expect-error -- a query has no lists
  client.request({ ...request, query: { tags: ['a'] } });
  return unchecked;
};
