import * as z from 'zod/mini';
import type { Issue } from '../error-details.ts';
import { changesByAmount } from '../helpers/increment.ts';
import type { Contact } from '../resources/contacts.ts';
import type { IdentifyResult, TrackFields } from '../resources/legacy.ts';
import type { OperationInputs, OperationResults } from '../resources/operation-types.ts';
import { type OperationName, operations } from '../resources/operations.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import {
  arrayOf,
  boolean,
  boundedText,
  converted,
  day,
  domainName,
  email,
  fillable,
  integer,
  named,
  nonEmptyText,
  params,
  passes,
  record,
  secretText,
  stringArray,
  tagName,
  text,
  textMap,
  valueMap,
} from '../schemas/fields.ts';
import { contactIdentifier, type Id, type IdKind, inputId, recordId } from '../schemas/id.ts';
import { listingQuery } from '../schemas/page.ts';
import { type InputSchema, inputSchema, responseSchema } from '../schemas/parsing-schemas.ts';
import { nanosecondTime, optionalNanosecondTime, unixSeconds } from '../schemas/times.ts';
import type { Endpoint } from './endpoint.ts';

/** What the table below says of an operation, beside what it does. */
type EndpointRow<Input = never, Output = unknown> = Omit<Endpoint<Input, Output>, 'name' | 'kind'>;

type EndpointRows = {
  readonly [Name in OperationName]: EndpointRow<OperationInputs[Name], OperationResults[Name]>;
};

const domain = () =>
  record({
    id: recordId<'domain'>(),
    name: text(),
    verified: boolean(),
    returnPathVerified: boolean(),
    dkimVerified: boolean(),
    trackVerified: boolean(),
    dmarcVerified: boolean(),
    gptVerified: boolean(),
    dkim: dnsRecord(),
    returnPath: dnsRecord(),
    track: dnsRecord(),
    dmarc: dnsRecord(),
    gpt: dnsRecord(),
    dkimConfig: secretText(),
    dmarcFailureReason: text(),
    created: nanosecondTime(),
    updated: optionalNanosecondTime(),
  });

const dnsRecord = () => record({ host: text(), type: text(), textValue: text() });

const list = () =>
  record({ id: recordId<'list'>(), name: text(), type: integer(), created: text(), updated: text() });

const tag = () => record({ id: recordId<'tag'>(), name: text(), created: text(), updated: text() });

const postTag = () => record({ id: recordId<'post_tag'>(), name: text(), created: text(), updated: text() });

const postCategory = () =>
  record({ id: recordId<'post_category'>(), name: text(), created: text(), updated: text() });

const sender = () =>
  record({ id: recordId<'sender'>(), name: text(), email: text(), isWhitelisted: boolean() });

const contact = () =>
  record({
    id: recordId<'contact'>(),
    firstName: text(),
    lastName: text(),
    email: text(),
    company: text(),
    customFields: textMap(),
    lists: stringArray(),
    tags: stringArray(),
    unsubscribed: boolean(),
    bounced: boolean(),
    spam: boolean(),
    blocked: boolean(),
    dropped: boolean(),
    created: text(),
    updated: text(),
    trackData: text(),
    contactSource: integer(),
    pageSource: text(),
    lastTrackedIp: text(),
    ltv: integer(),
  });

const legacyContact = () =>
  record({
    encryptedTeamId: text(),
    encryptedId: text(),
    firstName: text(),
    lastName: text(),
    email: text(),
    company: text(),
    birthday: text(),
    tags: stringArray(),
    customFields: textMap(),
  });

/** Returns a text without case and accents, which searches ignore in different ways. */
const fold = (text: unknown): string =>
  typeof text === 'string'
    ? text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()
    : '';

/** Reports a page with a contact that contains no word of the searched text: the service ignores the parameter (rule 4.4). */
function ignoredSearch(contacts: Contact[], query: unknown): Issue | undefined {
  const words = fold(Object(query).search).match(/\S+/g);
  const contains = ({ firstName, lastName, email }: Contact) =>
    words?.some(word => [firstName, lastName, email].some(field => fold(field).includes(word)));
  if (!words || contacts.every(contains)) return undefined;
  const message =
    'search was ignored, and other contacts came: set contactSearchParameter to the name of the parameter';
  return { path: '[]', expected: 'contacts that contain the searched text', received: 'others', message };
}

const idOfTag = /^tag_[a-zA-Z0-9]{22}$/;

/** Schema of a list of tag names. A name may begin with `tag_`, but must not be a tag id. */
function tagNames() {
  const expected = 'an array of non-empty strings';
  const isName = passes<string>(
    text => !idOfTag.test(text),
    'tag names: this is a tag id, but the legacy interface takes names',
  );
  return z.array(tagName(expected).check(isName), expected);
}

/** The same, and an empty list if it is left out: the service marks neither list of Track as optional. */
const tagNamesOrNone = () => converted((names: string[] | undefined = []) => names, tagNames());

/** Without the type's "at least one of", which a schema cannot state. */
const trackInput: InputSchema<TrackFields> = /* @__PURE__ */ inputSchema(() =>
  params({ email: email(), addTags: tagNamesOrNone(), removeTags: tagNamesOrNone() }),
);

const idOfField = /^(?:custom_)?field_[a-zA-Z0-9]{22}$/;

/** Schema of a map of values by the names of custom fields (rule 6.9). A name may begin with `field_`, but not be an id. */
const namedValues = () =>
  valueMap().check(({ value, issues }) => {
    const message = 'keyed by the name of the field: this is its id';
    for (const key of Object.keys(value))
      if (idOfField.test(key)) issues.push({ code: 'custom', message, path: [key], input: value });
  });

/** The service states the contact: a response without it is usable, but not as documented (rule 6.7). */
const missingContact = ({ data }: IdentifyResult): Issue | undefined =>
  data === undefined ? { path: 'data', expected: 'an object', received: 'undefined' } : undefined;

/** A `++` or `--` would count twice, and with `newEmail` a second call would create a contact under the old address. */
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
  input: inputSchema(() => inputId(kind)),
  output: acknowledgement,
});

/** How the service is asked for each operation, and how its response is parsed. Calls are marked as pure for bundlers. */
// biome-ignore format: the request of an operation on one line
export const endpoints: EndpointRows = {
  'domains.create': {
    api: 'rest', method: 'POST', path: '/domain', inputIn: 'body',
    input: /* @__PURE__ */ inputSchema(() => named(domainName())),
    output: /* @__PURE__ */ responseSchema(domain),
  },
  'lists.create': {
    api: 'rest', method: 'POST', path: '/list', inputIn: 'body',
    input: /* @__PURE__ */ inputSchema(named),
    output: /* @__PURE__ */ responseSchema(list),
  },
  // The service documents two limits; this is the larger one (rule 4.3).
  'lists.list': {
    api: 'rest', method: 'GET', path: '/list', inputIn: 'query',
    input: /* @__PURE__ */ inputSchema(() => listingQuery(500, { search: z.optional(boundedText(2, 100)) })),
    output: /* @__PURE__ */ responseSchema(() => arrayOf(list())),
  },
  'lists.delete': /* @__PURE__ */ deletion('/list/{identifier}', 'list'),
  'tags.create': {
    api: 'rest', method: 'POST', path: '/tag', inputIn: 'body',
    input: /* @__PURE__ */ inputSchema(() => named(tagName())),
    output: /* @__PURE__ */ responseSchema(tag),
  },
  'tags.delete': /* @__PURE__ */ deletion('/tag/{identifier}', 'tag'),
  // The service documents two limits; this is the larger one (rule 4.3).
  'contacts.list': {
    api: 'rest', method: 'GET', path: '/contact', inputIn: 'query',
    input: /* @__PURE__ */ inputSchema(() => listingQuery(100, { search: z.optional(boundedText(2, 255)) })),
    output: /* @__PURE__ */ responseSchema(() => arrayOf(contact()), ignoredSearch),
  },
  'postTags.list': {
    api: 'rest', method: 'GET', path: '/post/tag', inputIn: 'nothing',
    output: /* @__PURE__ */ responseSchema(() => arrayOf(postTag())),
  },
  'postTags.get': {
    api: 'rest', method: 'GET', path: '/post/tag/{identifier}', inputIn: 'id',
    input: /* @__PURE__ */ inputSchema(() => inputId('post_tag')),
    output: /* @__PURE__ */ responseSchema(postTag),
  },
  'postCategories.create': {
    api: 'rest', method: 'POST', path: '/post/category', inputIn: 'body',
    input: /* @__PURE__ */ inputSchema(named),
    output: /* @__PURE__ */ responseSchema(postCategory),
  },
  'senders.list': {
    api: 'rest', method: 'GET', path: '/sender', inputIn: 'nothing',
    output: /* @__PURE__ */ responseSchema(() => arrayOf(sender())),
  },
  'templates.delete': /* @__PURE__ */ deletion('/template/email/{identifier}', 'template'),
  'campaigns.delete': /* @__PURE__ */ deletion('/campaign/{identifier}', 'campaign'),
  'events.record': {
    api: 'rest', method: 'POST', path: '/events/custom', inputIn: 'body',
    input: /* @__PURE__ */ inputSchema(() =>
      params({
        name: nonEmptyText(),
        identifier: contactIdentifier(),
        data: z.optional(valueMap()),
        time: z.optional(unixSeconds()),
      }),
    ),
    output: acknowledgement,
  },
  'legacy.identify': {
    api: 'legacy', method: 'POST', path: '/contact/identify', inputIn: 'body',
    idempotent: identifyIsIdempotent,
    input: /* @__PURE__ */ inputSchema(() =>
      params({
        email: email(),
        newEmail: fillable(email()),
        firstName: fillable(text()),
        lastName: fillable(text()),
        company: fillable(text()),
        birthday: fillable(day()),
        customFields: fillable(namedValues()),
        tags: fillable(tagNames()),
      }),
    ),
    output: /* @__PURE__ */ responseSchema(
      () => record({ status: text(), message: text(), data: z.optional(legacyContact()) }),
      missingContact,
    ),
  },
  'legacy.track': {
    api: 'legacy', method: 'POST', path: '/contact/track', inputIn: 'body', query: ['email'],
    notFoundAdvice: 'Check the email: only contacts that exist can be tracked.',
    input: trackInput,
    output: /* @__PURE__ */ responseSchema(() =>
      record({ status: text(), message: text(), data: z.optional(text()) }),
    ),
  },
};

/** Returns all that is known of an operation. */
export function endpointOf(name: OperationName): Endpoint {
  const row: EndpointRow = endpoints[name];
  return { name, ...operations[name], ...row };
}
