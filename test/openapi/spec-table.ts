/** An operation as section 4 of the specification has it, typed out by hand. */
export interface SpecifiedOperation {
  readonly request: string;
  /** Fields of the body; `?` marks those that are optional. */
  readonly body?: Record<string, string>;
  /** Query parameters beside `team_id`, with their bounds. */
  readonly query?: Record<string, object>;
  /** Pattern of the identifier in the path. */
  readonly identifier?: string;
  /** Fields of the answer, or of each record of it. */
  readonly answer: Record<string, string>;
  readonly many?: true;
}

const acknowledgement = { status: 'string', message: 'string' };
const dnsRecord = 'object{host:string,type:string,textValue:string}';
const named = (prefix: string) => ({
  id: `string^${prefix}[a-zA-Z0-9]{22}$`,
  name: 'string',
  created: 'string(date-time)',
  updated: 'string(date-time)',
});
const list = { ...named('list_'), type: 'integer' };
const contact = {
  id: 'string^contact_[a-zA-Z0-9]{22}$',
  firstName: 'string',
  lastName: 'string',
  email: 'string',
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
const legacyContact =
  'object{encryptedTeamId:string,encryptedId:string,firstName:string,lastName:string,email:string,company:string,birthday:string,tags:array,customFields:map}';

/** Every operation of the specification. */
export const specification: readonly SpecifiedOperation[] = [
  {
    request: 'POST /api/v1/rest/domain',
    body: { name: 'string' },
    answer: {
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
    },
  },
  { request: 'POST /api/v1/rest/list', body: { name: 'string' }, answer: list },
  {
    request: 'GET /api/v1/rest/list',
    query: {
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      search: { type: 'string', minLength: 2, maxLength: 100 },
    },
    answer: list,
    many: true,
  },
  {
    request: 'DELETE /api/v1/rest/list/{identifier}',
    identifier: '^(list_)?[a-zA-Z0-9]{22}$',
    answer: acknowledgement,
  },
  { request: 'POST /api/v1/rest/tag', body: { name: 'string' }, answer: named('tag_') },
  {
    request: 'DELETE /api/v1/rest/tag/{identifier}',
    identifier: '^(tag_)?[a-zA-Z0-9]{22}$',
    answer: acknowledgement,
  },
  {
    request: 'GET /api/v1/rest/contact',
    query: {
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      search: { type: 'string', minLength: 2, maxLength: 255 },
    },
    answer: contact,
    many: true,
  },
  { request: 'GET /api/v1/rest/post/tag', answer: named('post_tag_'), many: true },
  {
    request: 'GET /api/v1/rest/post/tag/{identifier}',
    identifier: '^(post_tag_)?[a-zA-Z0-9]{22}$',
    answer: named('post_tag_'),
  },
  { request: 'POST /api/v1/rest/post/category', body: { name: 'string' }, answer: named('post_category_') },
  {
    request: 'GET /api/v1/rest/sender',
    answer: {
      id: 'string^sender_[a-zA-Z0-9]{22}$',
      name: 'string',
      email: 'string',
      isWhitelisted: 'boolean',
    },
    many: true,
  },
  {
    request: 'DELETE /api/v1/rest/template/email/{identifier}',
    identifier: '^(template_)?[a-zA-Z0-9]{22}$',
    answer: acknowledgement,
  },
  {
    request: 'DELETE /api/v1/rest/campaign/{identifier}',
    identifier: '^(campaign_)?[a-zA-Z0-9]{22}$',
    answer: acknowledgement,
  },
  {
    request: 'POST /api/v1/rest/events/custom',
    body: { name: 'string', identifier: 'string', 'data?': 'map', 'time?': 'integer(int64)' },
    answer: acknowledgement,
  },
  {
    request: 'POST /api/v1/contact/identify',
    body: {
      email: 'string(email)',
      'newEmail?': 'string(email)',
      'firstName?': 'string',
      'lastName?': 'string',
      'company?': 'string',
      'birthday?': 'string(date)',
      'customFields?': 'map',
      'tags?': 'array',
    },
    answer: { status: 'string', message: 'string', 'data?': legacyContact },
  },
  {
    request: 'POST /api/v1/contact/track',
    query: { email: { type: 'string', format: 'email' } },
    body: { 'addTags?': 'array', 'removeTags?': 'array' },
    answer: { ...acknowledgement, 'data?': 'string' },
  },
];
