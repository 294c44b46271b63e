import * as z from 'zod/mini';
import { boundedText, converted, email, matchingText, nonEmptyText, numberToText, passes } from './fields.ts';

/** Every kind of id: a kind and `_` are the prefix of its ids. */
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
 * Id of one kind of resource: its prefix and 22 letters or digits. Inputs also accept it without its prefix. Passing
 * the id of another kind is a compile-time error.
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

const idPattern = (kind: IdKind): RegExp => new RegExp(`^(${kind}_)?[a-zA-Z0-9]{22}$`);

/** Schema of an id in an input, with or without its prefix (rule 2.2). */
export function inputId<Kind extends IdKind>(kind: Kind): z.ZodMiniType<Id<Kind>, Id<Kind>> {
  return matchingText(idPattern(kind), idText(kind)) as z.ZodMiniType<Id<Kind>, Id<Kind>>;
}

/** Schema of the id of a contact, as {@link inputId}, or of its email (rule 8.1). */
export function contactIdentifier() {
  const expected = `${idText('contact')} or an email address`;
  const isValid = (value: string) => idPattern('contact').test(value) || z.safeParse(email(), value).success;
  return nonEmptyText(expected).check(passes(isValid, expected));
}

/** Schema of an id in a response: text, or a whole number, which becomes text. Limited, as checkpoints contain ids. */
export function recordId<Kind extends IdKind>(): z.ZodMiniType<Id<Kind>> {
  return z.nonoptional(converted(numberToText, boundedText(1, 1_000))) as z.ZodMiniType<Id<Kind>>;
}
