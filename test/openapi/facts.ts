import type { OperationName } from '../../src/resources/operations.ts';

/** What the document says of an operation beside what its schemas say. */
export interface Facts {
  readonly tag: string;
  readonly summary: string;
  /** Name of the answer's record. */
  readonly record: string;
  /** Name of the body's record. */
  readonly params?: string;
}

/** Summaries and names, by operation. */
export const facts: Record<OperationName, Facts> = {
  'domains.create': {
    tag: 'Domains',
    summary: 'Create a sending domain',
    record: 'Domain',
    params: 'CreateDomainParams',
  },
  'lists.create': { tag: 'Lists', summary: 'Create a list', record: 'List', params: 'CreateListParams' },
  'lists.list': { tag: 'Lists', summary: 'One page of lists', record: 'List' },
  'lists.delete': {
    tag: 'Lists',
    summary: 'Delete a list softly: its contacts stay',
    record: 'Acknowledgement',
  },
  'tags.create': { tag: 'Tags', summary: 'Create a tag', record: 'Tag', params: 'CreateTagParams' },
  'tags.delete': { tag: 'Tags', summary: 'Delete a tag', record: 'Acknowledgement' },
  'contacts.list': { tag: 'Contacts', summary: 'One page of contacts', record: 'Contact' },
  'postTags.list': { tag: 'Post tags', summary: 'Every post tag', record: 'PostTag' },
  'postTags.get': { tag: 'Post tags', summary: 'One post tag', record: 'PostTag' },
  'postCategories.create': {
    tag: 'Post categories',
    summary: 'Create a post category',
    record: 'PostCategory',
    params: 'CreatePostCategoryParams',
  },
  'senders.list': { tag: 'Senders', summary: 'Every sender', record: 'Sender' },
  'templates.delete': {
    tag: 'Templates',
    summary: 'Delete an email template for good',
    record: 'Acknowledgement',
  },
  'campaigns.delete': { tag: 'Campaigns', summary: 'Delete a campaign', record: 'Acknowledgement' },
  'events.record': {
    tag: 'Events',
    summary: 'Record a custom event',
    record: 'Acknowledgement',
    params: 'RecordEventParams',
  },
  'legacy.identify': {
    tag: 'Legacy',
    summary: 'Create or update a contact; nothing is removed',
    record: 'IdentifyResult',
    params: 'IdentifyParams',
  },
  'legacy.track': {
    tag: 'Legacy',
    summary: 'Add and remove tags of a contact',
    record: 'TrackResult',
    params: 'TrackParams',
  },
};

/** Prefix of the ids of each record: the client takes any id in an answer, the specification says what it is like. */
export const idPrefixes: Record<string, string> = {
  Domain: 'domain_',
  List: 'list_',
  Tag: 'tag_',
  Contact: 'contact_',
  PostTag: 'post_tag_',
  PostCategory: 'post_category_',
  Sender: 'sender_',
};

/** What a field means, where its name and type do not say it (specification, section 2). */
export const fieldNotes: Record<string, string> = {
  'Domain.created': 'Nanoseconds since the epoch: beyond what a double holds exactly.',
  'Domain.updated': 'Nanoseconds since the epoch; 0 if never updated.',
  'Domain.dkimConfig':
    'JSON text with the members Domain, PubKey, PrivKey, Selector and Headers. Holds a private key.',
  'Domain.dmarcFailureReason': 'Empty when there is no failure.',
  'List.type': 'The meaning of its values is not documented.',
  'Contact.customFields': 'Values by prefixed custom-field identifier.',
  'Contact.contactSource': '1 = API or by hand, 2 = import, 3 = form, 4 = integration.',
  'Contact.ltv': 'Lifetime value in cents.',
  'Contact.trackData': 'Tracking data and UTM parameters in query-string form; may be empty.',
  'Contact.pageSource': 'URL of the page where the contact was created; may be empty.',
  'Sender.isWhitelisted': 'false = pending, true = verified.',
  'RecordEventParams.identifier': 'Id or email of a contact.',
  'RecordEventParams.time': 'Unix seconds; default the time of the request.',
  'IdentifyParams.newEmail': 'Changes the email of the contact that has `email`.',
  'IdentifyParams.customFields': 'Values by name. In a number field `++5` adds and `--5` subtracts.',
  'IdentifyParams.tags': 'Tag names, added to those the contact has.',
};
