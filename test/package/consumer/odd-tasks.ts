// Tasks of people who build upon the types, compiled against the published declarations.
import {
  type Acknowledgement,
  type ApiPromise,
  type BulkResult,
  type CallOptions,
  type ClientOptions,
  EmailMarketingClient,
  type EndpointRequest,
  type FetchFunction,
  type Hooks,
  type LogFields,
  type Logger,
  type OperationInputs,
  type OperationName,
  type OperationResults,
  type Paginator,
  type Resources,
  type SafeResult,
  type StandardSchema,
} from 'email-marketing-client';
import { type BrowserClient, createBrowserClient } from 'email-marketing-client/browser';
import type { Authorize, ProxyCall, ProxyOptions } from 'email-marketing-client/proxy';
import { createSandbox, type Sandbox } from 'email-marketing-client/testing';

const client = new EmailMarketingClient();

/** A wrapper around any method. */
export function timed<Args extends unknown[], Data>(
  method: (...args: Args) => ApiPromise<Data>,
): (...args: Args) => Promise<SafeResult<Data>> {
  return async (...args) => {
    console.time();
    try {
      return await method(...args).safe();
    } finally {
      console.timeEnd();
    }
  };
}
const createTag = timed((params: { readonly name: string }, options?: CallOptions) =>
  client.tags.create(params, options),
);
const record = timed(client.events.record.bind(client.events));
export const wrapped = async () => {
  await record({ name: 'wrapped', identifier: 'ada@example.com' });
  const result = await createTag({ name: 'vip' });
  return result.ok ? result.data.id : result.error.name;
};

/** A function for both clients. */
export const welcome = ({ legacy }: Pick<Resources, 'legacy'>, email: string): ApiPromise<unknown> =>
  legacy.identify({ email, tags: ['welcomed'] });
const page: BrowserClient = createBrowserClient({ url: '/api/email-marketing' });
export const both: readonly Resources[] = [client, page];
export const welcomed = Promise.all(both.map(each => welcome(each, 'ada@example.com')));

/** Options that are checked where they are written. */
export const proxyOptions = {
  allow: ['contacts.list', 'tags.create'],
  authorize: 'public',
  output: { 'contacts.list': contacts => contacts.length },
} satisfies ProxyOptions;

/** Types mapped over the operations. */
type Calls = {
  readonly [Name in OperationName]: (input: OperationInputs[Name]) => ApiPromise<OperationResults[Name]>;
};
export const calls: Pick<Calls, 'tags.create' | 'lists.delete' | 'events.record' | 'senders.list'> = {
  'tags.create': input => client.tags.create(input),
  'lists.delete': id => client.lists.delete(id),
  'events.record': input => client.events.record(input),
  'senders.list': () => client.senders.list(),
};
export type Writes = {
  [Name in OperationName as OperationResults[Name] extends Acknowledgement ? Name : never]?: number;
};
export const writes: Writes = { 'tags.delete': 1, 'events.record': 2 };
export type Created = Awaited<ReturnType<EmailMarketingClient['tags']['create']>>;
export const created: Partial<Created> = { name: 'vip' };
export const authorize: Authorize<'tags.create'> = (_, { input }: ProxyCall<'tags.create'>) => ({
  input: { name: input.name.toLowerCase() },
});

/** A logger of one's own. */
export class Lines implements Logger {
  readonly lines: string[] = [];
  warn(message: string, { operation }: LogFields): void {
    this.lines.push(`${message} ${operation}`);
  }
  info(message: string): void {
    this.lines.push(message);
  }
  debug(): void {}
}
export const own: ClientOptions = {
  logger: new Lines(),
  hooks: [] as readonly Hooks[],
};

/** A client of one's own, and its endpoints. */
export class TeamClient extends EmailMarketingClient {
  note<Output>(id: string, schema: StandardSchema<Output>): ApiPromise<Output> {
    const request: EndpointRequest<Output> = { method: 'GET', path: '/note/{id}', params: { id }, schema };
    return this.request(request);
  }
}
declare const noteSchema: StandardSchema<{ text: string }>;
export const text = new TeamClient().note('1', noteSchema).then(note => note.text);

/** Iterations of any kind. */
export async function* mapped<T, U>(source: AsyncIterable<T>, each: (item: T) => U): AsyncGenerator<U> {
  for await (const item of source) yield each(item);
}
export const emails = mapped(client.contacts.all(), ({ email }) => email);
export const firstOf = async <T>(paginator: Paginator<T>): Promise<T | undefined> =>
  (await paginator.toArray({ max: 1 }))[0];
export const failed = <Input, Data>(results: readonly BulkResult<Input, Data>[]): Input[] =>
  results.flatMap(result => (result.ok ? [] : [result.input]));

/** A `fetch` of one's own, and a sandbox behind it. */
export const withSandbox = (sandbox: Sandbox = createSandbox()): FetchFunction => {
  return async (url, init) => {
    console.log(init.method, url, typeof init.body === 'string' ? init.body.length : 0);
    return sandbox.fetch(url, init);
  };
};

/** What is exported without an annotation, as a module of a user's own. */
export const { contacts, lists } = client;
export const iteration = contacts.all({ search: 'ada' }).pages();
export const attempt = client.tags.create({ name: 'vip' }).safe();
export const sandbox = createSandbox();
