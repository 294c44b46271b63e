import * as z from 'zod/mini';
import type { Issue } from '../error-details.ts';
import { changesByAmount } from '../helpers/increment.ts';
import type { Contact } from '../resources/contacts.ts';
import type { IdentifyResult, TrackFields } from '../resources/legacy.ts';
import type { OperationInputs, OperationResults } from '../resources/operation-types.ts';
import { type OperationName, operations } from '../resources/operations.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import * as field from '../schemas/fields.ts';
import { contactIdentifier, type Id, type IdKind, ids, inputId, recordId } from '../schemas/id.ts';
import { InputSchema, ResponseSchema } from '../schemas/operation-schemas.ts';
import { listingQuery } from '../schemas/page.ts';
import { nanosecondTime, optionalNanosecondTime, time, unixSeconds } from '../schemas/times.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Row of the table below. The kind of an operation is in `resources/operations.ts`, and `idempotent` too, unless it
 * depends on the input.
 */
type EndpointRow<Input = never, Output = unknown> = Omit<Endpoint<Input, Output>, 'name' | 'kind'>;

type EndpointRows = {
  readonly [Name in OperationName]: EndpointRow<OperationInputs[Name], OperationResults[Name]>;
};

const domain = () =>
  field.responseObject({
    id: recordId('domain'),
    name: field.string(),
    verified: field.boolean(),
    returnPathVerified: field.boolean(),
    dkimVerified: field.boolean(),
    trackVerified: field.boolean(),
    dmarcVerified: field.boolean(),
    gptVerified: field.boolean(),
    dkim: dnsRecord(),
    returnPath: dnsRecord(),
    track: dnsRecord(),
    dmarc: dnsRecord(),
    gpt: dnsRecord(),
    dkimConfig: field.secretText(),
    dmarcFailureReason: field.string(),
    created: nanosecondTime(),
    updated: optionalNanosecondTime(),
  });

const dnsRecord = () =>
  field.responseObject({ host: field.string(), type: field.string(), textValue: field.string() });

const list = () =>
  field.responseObject({
    id: recordId('list'),
    name: field.string(),
    type: field.integer(),
    created: time(),
    updated: time(),
  });

/** Schema of a tag, of a post tag and of a post category. */
const label = (kind: 'tag' | 'post_tag' | 'post_category') =>
  field.responseObject({ id: recordId(kind), name: field.string(), created: time(), updated: time() });

const sender = () =>
  field.responseObject({
    id: recordId('sender'),
    name: field.string(),
    email: field.string(),
    isWhitelisted: field.boolean(),
  });

const contact = () =>
  field.responseObject({
    id: recordId('contact'),
    firstName: field.string(),
    lastName: field.string(),
    email: field.string(),
    company: field.string(),
    customFields: field.customFieldValues(),
    lists: ids('list'),
    tags: ids('tag'),
    unsubscribed: field.boolean(),
    bounced: field.boolean(),
    spam: field.boolean(),
    blocked: field.boolean(),
    dropped: field.boolean(),
    created: time(),
    updated: time(),
    trackData: field.string(),
    contactSource: field.listedNumber(1, 2, 3, 4),
    pageSource: field.string(),
    lastTrackedIp: field.string(),
    ltv: field.integer(),
  });

const legacyContact = () =>
  field.responseObject({
    encryptedTeamId: field.string(),
    encryptedId: field.string(),
    firstName: field.string(),
    lastName: field.string(),
    email: field.string(),
    company: field.string(),
    birthday: field.string(),
    tags: field.stringArray(),
    customFields: field.textMap(),
  });

/** Returns text in lower case without accents, because some searches ignore case and accents. */
const lettersOf = (text: unknown): string =>
  typeof text === 'string'
    ? text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()
    : '';

/** Reports a page with a contact that does not contain the search: the service ignored the parameter (rule 4.4). */
function ignoredSearch(contacts: Contact[], query: unknown): Issue | undefined {
  const words = lettersOf(Object(query).search).match(/\S+/g);
  const contains = ({ firstName, lastName, email }: Contact) =>
    words?.some(word => [firstName, lastName, email].some(part => lettersOf(part).includes(word)));
  if (!words || contacts.every(contains)) return undefined;
  const message = 'search was ignored: set contactSearchParameter to the name of the parameter';
  return { path: '[]', expected: 'contacts that contain the searched text', received: 'others', message };
}

const idOfTag = /^tag_[a-zA-Z0-9]{22}$/;

/** Schema of a list of tag names. A name may begin with `tag_`, but must not be a tag id. */
function tagNames(): z.ZodMiniType<string[], readonly string[]> {
  const expected = 'an array of non-empty strings';
  const isName = field.check<string>(
    text => !idOfTag.test(text),
    'tag names: this is a tag id, but the legacy interface takes names',
  );
  return z.array(field.tagName(expected).check(isName), expected).check(field.limitIssues);
}

/** Like `tagNames`, but defaults to an empty list, because the service documents both lists of Track as required. */
const tagNamesOrNone = () => field.convertThen((names: string[] | undefined = []) => names, tagNames());

/** The type requires one of the two lists; the schema does not. */
const trackInput = /* @__PURE__ */ new InputSchema<TrackFields>(() =>
  field.inputObject({ email: field.email(), addTags: tagNamesOrNone(), removeTags: tagNamesOrNone() }),
);

const idOfField = /^(?:custom_)?field_[a-zA-Z0-9]{22}$/;

/**
 * Schema of a map of values by the names of custom fields (rule 6.9). A name may begin with `field_`, but must not be
 * an id.
 */
const namedValues = () =>
  field.valueMap().check(({ value, issues }) => {
    const message = 'keyed by name, not by id';
    for (const key of Object.keys(value))
      if (idOfField.test(key)) issues.push({ code: 'custom', message, path: [key], input: value });
  }, field.limitIssues);

/** Reports a response without the contact, which is usable but not as documented (rule 6.7). */
const missingContact = ({ data }: IdentifyResult): Issue | undefined =>
  data === undefined ? { path: 'data', expected: 'an object', received: 'undefined' } : undefined;

/**
 * Returns `false` for `++` and `--`, which would count twice, and for `newEmail`: a retry would create a contact with
 * the old email.
 */
export function identifyIsIdempotent(input: unknown): boolean {
  const { newEmail, customFields } = Object(input);
  const isAmount = (value: unknown) => typeof value === 'string' && changesByAmount.test(value);
  return !newEmail && !Object.values(customFields ?? {}).some(isAmount);
}

/** Returns the endpoint that deletes a resource by its id. Mark each call as pure. */
const deletion = <Kind extends IdKind>(path: string, kind: Kind): EndpointRow<Id<Kind>, Acknowledgement> => ({
  api: 'rest',
  method: 'DELETE',
  path,
  inputIn: 'id',
  input: new InputSchema(() => inputId(kind)),
  output: acknowledgement,
});

/**
 * Request and response of each operation. Rules are numbered as in docs/service-rules.md. Calls are marked as pure for
 * bundlers.
 */
// biome-ignore format: the request of an operation on one line
export const endpoints: EndpointRows = {
  'domains.create': {
    api: 'rest', method: 'POST', path: '/domain', inputIn: 'body',
    input: /* @__PURE__ */ new InputSchema(() => field.nameParams(field.domainName())),
    output: /* @__PURE__ */ new ResponseSchema(domain),
  },
  'lists.create': {
    api: 'rest', method: 'POST', path: '/list', inputIn: 'body',
    input: /* @__PURE__ */ new InputSchema(field.nameParams),
    output: /* @__PURE__ */ new ResponseSchema(list),
  },
  // The service documents two limits; this is the larger one (rule 4.3).
  'lists.list': {
    api: 'rest', method: 'GET', path: '/list', inputIn: 'query',
    input: /* @__PURE__ */ new InputSchema(() => listingQuery(500, { search: z.optional(field.boundedText(2, 100)) })),
    output: /* @__PURE__ */ new ResponseSchema(() => field.arrayOf(list())),
  },
  'lists.delete': /* @__PURE__ */ deletion('/list/{identifier}', 'list'),
  'tags.create': {
    api: 'rest', method: 'POST', path: '/tag', inputIn: 'body',
    input: /* @__PURE__ */ new InputSchema(() => field.nameParams(field.tagName())),
    output: /* @__PURE__ */ new ResponseSchema(() => label('tag')),
  },
  'tags.delete': /* @__PURE__ */ deletion('/tag/{identifier}', 'tag'),
  // The service documents two limits; this is the larger one (rule 4.3).
  'contacts.list': {
    api: 'rest', method: 'GET', path: '/contact', inputIn: 'query',
    input: /* @__PURE__ */ new InputSchema(() => listingQuery(100, { search: z.optional(field.boundedText(2, 255)) })),
    output: /* @__PURE__ */ new ResponseSchema(() => field.arrayOf(contact()), ignoredSearch),
  },
  'postTags.list': {
    api: 'rest', method: 'GET', path: '/post/tag', inputIn: 'nothing',
    output: /* @__PURE__ */ new ResponseSchema(() => field.arrayOf(label('post_tag'))),
  },
  'postTags.get': {
    api: 'rest', method: 'GET', path: '/post/tag/{identifier}', inputIn: 'id',
    input: /* @__PURE__ */ new InputSchema(() => inputId('post_tag')),
    output: /* @__PURE__ */ new ResponseSchema(() => label('post_tag')),
  },
  'postCategories.create': {
    api: 'rest', method: 'POST', path: '/post/category', inputIn: 'body',
    input: /* @__PURE__ */ new InputSchema(field.nameParams),
    output: /* @__PURE__ */ new ResponseSchema(() => label('post_category')),
  },
  'senders.list': {
    api: 'rest', method: 'GET', path: '/sender', inputIn: 'nothing',
    output: /* @__PURE__ */ new ResponseSchema(() => field.arrayOf(sender())),
  },
  'templates.delete': /* @__PURE__ */ deletion('/template/email/{identifier}', 'template'),
  'campaigns.delete': /* @__PURE__ */ deletion('/campaign/{identifier}', 'campaign'),
  'events.record': {
    api: 'rest', method: 'POST', path: '/events/custom', inputIn: 'body',
    input: /* @__PURE__ */ new InputSchema<OperationInputs['events.record']>(() =>
      field.inputObject({
        name: field.nonEmptyText(),
        identifier: contactIdentifier(),
        data: field.convertThen((data: OperationInputs['events.record']['data'] = {}) => data, field.valueMap()),
        time: z.optional(unixSeconds()),
      }),
    ),
    output: acknowledgement,
  },
  'legacy.identify': {
    api: 'legacy', method: 'POST', path: '/contact/identify', inputIn: 'body',
    idempotent: identifyIsIdempotent,
    input: /* @__PURE__ */ new InputSchema(() =>
      field.inputObject({
        email: field.email(),
        newEmail: field.optionalField(field.email()),
        firstName: field.optionalField(field.string()),
        lastName: field.optionalField(field.string()),
        company: field.optionalField(field.string()),
        birthday: field.optionalField(field.day()),
        customFields: field.optionalField(namedValues()),
        tags: field.optionalField(tagNames()),
      }),
    ),
    output: /* @__PURE__ */ new ResponseSchema(
      () => field.responseObject({ status: field.string(), message: field.string(), data: z.optional(legacyContact()) }),
      missingContact,
    ),
  },
  'legacy.track': {
    api: 'legacy', method: 'POST', path: '/contact/track', inputIn: 'body', query: ['email'],
    notFoundAdvice: 'Check the email: only contacts that exist can be tracked.',
    input: trackInput,
    output: /* @__PURE__ */ new ResponseSchema(() =>
      field.responseObject({ status: field.string(), message: field.string(), data: z.optional(field.string()) }),
    ),
  },
};

/** Returns the endpoint of an operation. */
export const endpointOf = <Name extends OperationName>(
  name: Name,
): Endpoint<OperationInputs[Name], OperationResults[Name]> => ({
  name,
  ...operations[name],
  ...endpoints[name],
});
