import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { Paginator, type PaginatorOptions } from '../pagination/paginator.ts';
import type { ContactId, ListId, TagId } from '../schema/id.ts';
import { boundedText, inputOf, optional } from '../schema/input.ts';
import { type PageQuery, pageFields } from '../schema/page.ts';
import { manyRecords, RecordReader } from '../schema/record.ts';
import { flag, integer, recordId, text, textMap, texts } from '../schema/word.ts';

/** Where a contact came from: 1 API or by hand, 2 import, 3 form, 4 integration. Others may come. */
export type ContactSource = 1 | 2 | 3 | 4 | (number & {});

/** A person (specification, section 2). */
export interface Contact {
  /** Never changes. */
  readonly id: ContactId;
  /** Empty when not given. */
  readonly firstName: string;
  /** Empty when not given. */
  readonly lastName: string;
  /** Unique within the team. */
  readonly email: string;
  /** Empty when not given. */
  readonly company: string;
  /** Values by the custom field's prefixed identifier; {@link customField} finds one whichever prefix is used. */
  readonly customFields: Readonly<Record<string, string>>;
  /** Ids of the lists it is in. */
  readonly lists: readonly ListId[];
  /** Ids of the tags it has. */
  readonly tags: readonly TagId[];
  /** Wants no more emails. */
  readonly unsubscribed: boolean;
  /** Emails bounced. */
  readonly bounced: boolean;
  /** Marked emails as spam. */
  readonly spam: boolean;
  /** Blocked from receiving emails. */
  readonly blocked: boolean;
  /** Emails were dropped. */
  readonly dropped: boolean;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** ISO 8601, UTC. */
  readonly updated: string;
  /** Tracking data and UTM parameters as a query string; may be empty. */
  readonly trackData: string;
  /** How the contact came in. */
  readonly contactSource: ContactSource;
  /** URL of the page where the contact was made; may be empty. */
  readonly pageSource: string;
  /** The last IP address seen, or empty. */
  readonly lastTrackedIp: string;
  /** Lifetime value in cents. */
  readonly ltv: number;
}

/** Which contacts are meant. */
export interface ContactsFilter {
  /** Part of a first name, last name or email, in either case: 2 to 255 characters. */
  readonly search?: string | undefined;
}

/** Which page of which contacts; `limit` is at most 100. */
export interface ContactsQuery extends PageQuery, ContactsFilter {}

const contact = () =>
  new RecordReader<Contact>({
    words: {
      id: recordId,
      firstName: text,
      lastName: text,
      email: recordId,
      company: text,
      customFields: textMap,
      lists: texts,
      tags: texts,
      unsubscribed: flag,
      bounced: flag,
      spam: flag,
      blocked: flag,
      dropped: flag,
      created: text,
      updated: text,
      trackData: text,
      contactSource: integer,
      pageSource: text,
      lastTrackedIp: text,
      ltv: integer,
    },
    essential: ['id', 'email'],
    aliases: { LTV: 'ltv' },
  });

/** @internal */
export const contactOperations = () => ({
  'contacts.list': {
    api: 'rest',
    method: 'GET',
    path: '/contact',
    query: ['offset', 'limit', 'search'],
    repeat: 'always',
    input: inputOf(() => pageFields<ContactsQuery>(100, { search: optional(boundedText(2, 255)) })),
    output: manyRecords(contact()),
  } satisfies Operation<ContactsQuery | undefined, readonly Contact[]>,
});

const fieldPrefix = /^(custom_)?field_/;

/**
 * The value of a contact's custom field, whichever of the prefixes `custom_field_` and `field_` the contact or `id`
 * uses, or none; `undefined` when the contact does not have it.
 *
 * @example
 * ```ts
 * const [contact] = await client.contacts.list({ limit: 1 });
 * if (contact) console.log(customField(contact, 'custom_field_7hK2mQ9xB4nT6vR1sW8zLp'));
 * ```
 */
export function customField(contact: Pick<Contact, 'customFields'>, id: string): string | undefined {
  const bare = id.replace(fieldPrefix, '');
  const key = [id, `custom_field_${bare}`, `field_${bare}`, bare].find(name =>
    Object.hasOwn(contact.customFields, name),
  );
  return key === undefined ? undefined : contact.customFields[key];
}

/** People. `client.legacy` creates and updates them. */
export class Contacts {
  readonly #call: Caller<ReturnType<typeof contactOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof contactOperations>>) {
    this.#call = call;
  }

  /**
   * One page of contacts. The service may give fewer than `limit` though there are more.
   *
   * @example
   * ```ts
   * const contacts = await client.contacts.list({ offset: 0, limit: 100, search: 'ada' });
   * for (const { email, firstName } of contacts) console.log(email, firstName);
   * ```
   */
  list(query?: ContactsQuery, options?: CallOptions): ApiPromise<readonly Contact[]> {
    return this.#call('contacts.list', query, options);
  }

  /**
   * Every contact, or every one that the filter means: `for await (const contact of client.contacts.all())`. Each that is there
   * throughout comes exactly once, whatever is added or deleted meanwhile. Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * let unsubscribed = 0;
   * for await (const contact of client.contacts.all({ search: 'example.com' }))
   *   if (contact.unsubscribed) unsubscribed += 1;
   * console.log(unsubscribed);
   * ```
   */
  all(filter?: ContactsFilter, options?: PaginatorOptions & CallOptions): Paginator<Contact> {
    const source = {
      operation: 'contacts.list',
      filter,
      pageSizes: [100, 30],
      load: (page: PageQuery, callOptions: CallOptions) => this.list({ ...filter, ...page }, callOptions),
    } as const;
    return new Paginator<Contact>(source, options);
  }
}
