// Doubles in a user's tests: the compiler accepts any object with the same methods as a client.
import type {
  AnyEmailMarketingError,
  ApiPromise,
  EmailMarketingClient,
  Paginator,
  Secret,
  Tag,
  TagId,
} from 'email-marketing-client';
import { RateLimitError } from 'email-marketing-client';
import { resolvesTo, type Sandbox } from 'email-marketing-client/testing';

/** The type of an object that has only the same public members. */
type Double<T> = { [Member in keyof T]: T[Member] };

export const asClient = (double: Double<EmailMarketingClient>): EmailMarketingClient => double;
export const asSecret = (double: Double<Secret>): Secret => double;
export const asError = (double: Double<RateLimitError>): RateLimitError => double;
export const asPaginator = (double: Double<Paginator<Tag>>): Paginator<Tag> => double;
export const asSandbox = (
  double: {
    [Part in keyof Sandbox]: Part extends 'requests' | 'state' ? Double<Sandbox[Part]> : Sandbox[Part];
  },
): Sandbox => double;
export const asTags = (double: Double<Sandbox['state']['tags']>): Sandbox['state']['tags'] => double;

export const tags: Pick<EmailMarketingClient['tags'], 'create' | 'delete'> = {
  create: resolvesTo<Tag>({ id: 'tag_1' as TagId, name: 'vip', created: '', updated: '' }),
  delete: (): ApiPromise<{ status: string; message: string }> => resolvesTo({ status: '', message: '' })(),
};

export const limited = (errors: readonly AnyEmailMarketingError[]): RateLimitError[] =>
  errors.filter(RateLimitError.isInstance);
