/**
 * Fields of every record, typed out from docs/service-rules.md, in a short form to compare with the OpenAPI document:
 * `type`, `type(format)`, `type^pattern`, `array^pattern`, `map` for a map of strings, `object{field:type}`.
 */

const dnsRecord = 'object{host:string,type:string,textValue:string}';

const namedRecord = (prefix: string) => ({
  id: `string^${prefix}[a-zA-Z0-9]{22}$`,
  name: 'string',
  created: 'string(date-time)',
  updated: 'string(date-time)',
});

export const acknowledgement = { status: 'string^success$', message: 'string' };

export const createBody = { name: 'string' };

export const domain = {
  id: 'string^domain_[a-zA-Z0-9]{22}$',
  name: 'string',
  verified: 'boolean',
  returnPathVerified: 'boolean',
  dkimVerified: 'boolean',
  trackVerified: 'boolean',
  dmarcVerified: 'boolean',
  gptVerified: 'boolean',
  dkim: dnsRecord,
  returnPath: dnsRecord,
  track: dnsRecord,
  dmarc: dnsRecord,
  gpt: dnsRecord,
  dkimConfig: 'string',
  dmarcFailureReason: 'string',
  created: 'integer(int64)',
  updated: 'integer(int64)',
};

export const list = { ...namedRecord('list_'), type: 'integer' };
export const tag = namedRecord('tag_');
export const postTag = namedRecord('post_tag_');
export const postCategory = namedRecord('post_category_');

export const contact = {
  id: 'string^contact_[a-zA-Z0-9]{22}$',
  email: 'string',
  firstName: 'string',
  lastName: 'string',
  company: 'string',
  customFields: 'map',
  lists: 'array^list_[a-zA-Z0-9]{22}$',
  tags: 'array^tag_[a-zA-Z0-9]{22}$',
  unsubscribed: 'boolean',
  bounced: 'boolean',
  spam: 'boolean',
  blocked: 'boolean',
  dropped: 'boolean',
  created: 'string(date-time)',
  updated: 'string(date-time)',
  trackData: 'string',
  contactSource: 'integer',
  pageSource: 'string',
  lastTrackedIp: 'string',
  ltv: 'integer',
};

export const sender = {
  id: 'string^sender_[a-zA-Z0-9]{22}$',
  name: 'string',
  email: 'string',
  isWhitelisted: 'boolean',
};

export const eventBody = { name: 'string', identifier: 'string', data: 'map', 'time?': 'integer(int64)' };

export const identifyBody = {
  email: 'string(email)',
  'newEmail?': 'string(email)',
  'firstName?': 'string',
  'lastName?': 'string',
  'company?': 'string',
  'birthday?': 'string(date)',
  'customFields?': 'map',
  'tags?': 'array',
};

/** The status of a success is any text (rule 3.5). */
const legacyResult = { status: 'string', message: 'string' };

export const identifyResponse = {
  ...legacyResult,
  data: 'object{encryptedTeamId:string,encryptedId:string,firstName:string,lastName:string,email:string,company:string,birthday:string,tags:array,customFields:map}',
};

export const trackQuery = { email: { type: 'string', format: 'email' } };
export const trackBody = { addTags: 'array', removeTags: 'array' };
export const trackResponse = { ...legacyResult, 'data?': 'string' };

/** Pattern of an identifier in a path. */
export const identifier = (prefix: string): string => `^(${prefix})?[a-zA-Z0-9]{22}$`;

/** Query of a listing, with the widest documented bounds (rules 4.3 and 4.4). */
export const pageQuery = <Filters extends Record<string, object>>(maxLimit: number, filters: Filters) => ({
  offset: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: maxLimit },
  ...filters,
});

/** A text of so many characters. */
export const characters = (minLength: number, maxLength: number) => ({
  type: 'string',
  minLength,
  maxLength,
});
