import * as z from 'zod/mini';
import { isEmail } from '../core/email.ts';
import { check, convertThen, matchingText, nonEmptyText, numberToText } from './fields.ts';

/** Every kind of id. The prefix of its ids is the kind and `_`. */
export const idKinds = [
  'domain',
  'list',
  'tag',
  'contact',
  'sender',
  'post_tag',
  'post_category',
  'template',
  'campaign',
] as const;
export type IdKind = (typeof idKinds)[number];

declare const resource: unique symbol;

/**
 * Id of one kind of resource: its prefix and 22 letters or digits. Inputs also accept it without its prefix, or with
 * its prefix and 1 to 64 letters, digits, `-` or `_`. Passing the id of another kind is a compile-time error.
 */
export type Id<Kind extends IdKind> = string & { readonly [resource]?: Kind };

/** Id of a domain: `domain_` and 22 letters or digits. */
export type DomainId = Id<'domain'>;
/** Id of a list: `list_` and 22 letters or digits. */
export type ListId = Id<'list'>;
/** Id of a tag: `tag_` and 22 letters or digits. */
export type TagId = Id<'tag'>;
/** Id of a contact: `contact_` and 22 letters or digits. */
export type ContactId = Id<'contact'>;
/** Id of a sender: `sender_` and 22 letters or digits. */
export type SenderId = Id<'sender'>;
/** Id of a post tag: `post_tag_` and 22 letters or digits. */
export type PostTagId = Id<'post_tag'>;
/** Id of a post category: `post_category_` and 22 letters or digits. */
export type PostCategoryId = Id<'post_category'>;
/** Id of a template: `template_` and 22 letters or digits. */
export type TemplateId = Id<'template'>;
/** Id of a campaign: `campaign_` and 22 letters or digits. */
export type CampaignId = Id<'campaign'>;

const idText = (kind: IdKind): string => `a ${kind} id (${kind}_ and 22 letters or digits)`;

/** Pattern of documented ids. Inputs also accept shorter or longer ones with their prefix. */
const documentedPattern = (kind: IdKind): RegExp => new RegExp(`^${kind}_${'[a-zA-Z0-9]'.repeat(22)}$`);

const inputPattern = (kind: IdKind): RegExp => new RegExp(`^(${kind}_[\\w-]{1,64}|[a-zA-Z0-9]{22})$`);

/** Schema of an id in an input (rule 2.2). Other text without a prefix is rejected, because it could be a name. */
export function inputId<Kind extends IdKind>(kind: Kind): z.ZodMiniType<Id<Kind>, Id<Kind>> {
  return matchingText(inputPattern(kind), idText(kind)) as z.ZodMiniType<Id<Kind>, Id<Kind>>;
}

/** Schema of the id of a contact, as in {@link inputId}, or of its email (rule 8.1). */
export function contactIdentifier() {
  const expected = `${idText('contact')} or an email address`;
  const isValid = (value: string) => inputPattern('contact').test(value) || isEmail(value);
  return nonEmptyText(expected).check(check(isValid, expected));
}

/** Schema of the id of another record in a response. */
const documentedId = (kind: IdKind) => matchingText(documentedPattern(kind), idText(kind));

/** Schema of the ids of other records in a response. */
export const ids = (kind: IdKind) => z.array(documentedId(kind), 'an array of ids');

/**
 * Schema of a record's id in a response. The first half accepts usable ids: strings, and whole numbers, which become
 * strings. The second half accepts documented ids.
 */
export const recordId = (kind: IdKind) => z.pipe(convertThen(numberToText, usableId()), documentedId(kind));

let usable: z.ZodMiniString | undefined;

/** The one schema of a usable id, without which a record is unusable. Its length is limited, because checkpoints contain ids. */
export function usableId() {
  const expected = 'a string of 1 to 1000 characters';
  usable ??= z.string(expected).check(check(({ length }) => length > 0 && length <= 1_000, expected));
  return usable;
}
