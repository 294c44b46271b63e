declare const resource: unique symbol;

/**
 * The id of one kind of resource: its prefix and 22 letters or digits. Inputs also take it without its prefix.
 * An id that came in a record is not accepted where another kind of resource is meant.
 */
export type Id<Kind extends string> = string & { readonly [resource]?: Kind };

/** `domain_` and 22 letters or digits. */
export type DomainId = Id<'domain'>;
/** `list_` and 22 letters or digits. */
export type ListId = Id<'list'>;
/** `tag_` and 22 letters or digits. */
export type TagId = Id<'tag'>;
/** `contact_` and 22 letters or digits. */
export type ContactId = Id<'contact'>;
/** `sender_` and 22 letters or digits. */
export type SenderId = Id<'sender'>;
/** `post_tag_` and 22 letters or digits. */
export type PostTagId = Id<'post_tag'>;
/** `post_category_` and 22 letters or digits. */
export type PostCategoryId = Id<'post_category'>;
/** `template_` and 22 letters or digits. */
export type TemplateId = Id<'template'>;
/** `campaign_` and 22 letters or digits. */
export type CampaignId = Id<'campaign'>;
