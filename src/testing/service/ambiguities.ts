import { array, flag, oneOf, type Rule, text, wholeNumber } from '../rules.ts';
import type { ErrorKind } from './error-response.ts';

/** Choices of the sandbox for what the service does not document; docs/sandbox.md has the reason for each default. */
export interface Ambiguities {
  /** Largest `limit` of `GET /contact`. @defaultValue 100 */
  readonly contactPageCap: number;
  /** Largest `limit` of `GET /list`. @defaultValue 500 */
  readonly listPageCap: number;
  /** Response to a `limit` over the cap: an error, or a page of the cap's size. @defaultValue 'refuse' */
  readonly overCap: 'refuse' | 'cap';
  /** `limit` of `GET /list` if none is given. @defaultValue 10 */
  readonly listDefaultLimit: number;
  /** Response to any other query value out of range: an error, or the default. @defaultValue 'refuse' */
  readonly badQuery: 'refuse' | 'ignore';
  /** Order of listings. @defaultValue 'oldest-first' */
  readonly order: 'oldest-first' | 'newest-first';
  /** Name of the search parameter of `GET /contact`. @defaultValue 'search' */
  readonly contactSearchParameter: string;
  /** JSON of an empty listing. @defaultValue '[]' */
  readonly emptyListing: '[]' | 'null';
  /** Prefix of custom-field keys in contacts over REST. @defaultValue 'custom_field_' */
  readonly fieldPrefix: 'custom_field_' | 'field_';
  /** HTTP status of a success. @defaultValue 200 */
  readonly successStatus: number;
  /** HTTP status of a `POST` that created something over REST. @defaultValue 200 */
  readonly createdStatus: number;
  /** HTTP status of each error; those that are left out keep their default. */
  readonly errorStatus: Readonly<Partial<Record<ErrorKind, number>>>;
  /** Kinds of resource whose names are unique. @defaultValue ['domain', 'tag'] */
  readonly uniqueNames: readonly ('domain' | 'tag' | 'list' | 'postCategory')[];
  /** Members that a custom event must have. @defaultValue ['name', 'identifier'] */
  readonly eventRequires: readonly ('name' | 'identifier' | 'data')[];
  /** Response to a custom event for a contact that does not exist. @defaultValue 'accept' */
  readonly eventOfUnknownContact: 'accept' | 'refuse';
  /** Response to deleting a campaign that does not exist. @defaultValue 'refuse' */
  readonly unknownCampaign: 'refuse' | 'succeed';
  /** Response to Track for an email that no contact has. @defaultValue 'refuse' */
  readonly trackOfUnknownContact: 'refuse' | 'create';
  /** Use of `newEmail` in Identify if no contact has `email`. @defaultValue 'ignore' */
  readonly newEmailOfUnknownContact: 'ignore' | 'use';
  /** Data type of a custom field that a `++` or `--` value creates. @defaultValue 'string' */
  readonly fieldOfIncrement: 'number' | 'string';
  /** Value that `--5` stores in a number field without one: `5`, the given number, or `-5`. @defaultValue 'given' */
  readonly decrementOfNothing: 'given' | 'negative';
  /** Comparison of emails: with `insensitive`, `A@x.test` and `a@x.test` are one contact. @defaultValue 'insensitive' */
  readonly emailCase: 'insensitive' | 'exact';
  /** `status` of a legacy success. @defaultValue '200' */
  readonly legacyStatus: '200' | 'success';
  /** `true`: Track's response carries `data`. @defaultValue true */
  readonly trackData: boolean;
}

/** What an ambiguity can be, its default, and how a command line writes it. */
export interface AmbiguityRule extends Rule {
  readonly value: unknown;
  /** The values, the default first. */
  readonly usage: string;
  /** Reads a value; returns a text that is none as it is. */
  readonly fromText: (text: string) => unknown;
}

const asIs = (text: string): unknown => text;
const whole = (least: number, most: number, value: number): AmbiguityRule => ({
  ...wholeNumber(least, most),
  value,
  usage: `${value}  (${least} to ${most})`,
  fromText: text => (/^\d+$/.test(text) ? Number(text) : text),
});
/** Largest page that can be configured: a million records. */
const pageSize = (value: number) => whole(1, 1_000_000, value);
const success = whole(200, 299, 200);
/** The first of the values is the default. */
const choice = (...values: readonly [string, ...string[]]): AmbiguityRule => ({
  ...oneOf(values),
  value: values[0],
  usage: values.join('|'),
  fromText: asIs,
});
const choices = (values: readonly string[], value: readonly string[]): AmbiguityRule => ({
  ...array(`some of ${values.join(', ')}`, item => values.includes(item as string)),
  value,
  usage: `${value.join(',')}  (any of ${values.join(', ')})`,
  fromText: text => text.split(',').filter(part => part !== ''),
});

/** Every ambiguity but `errorStatus`, with its default and what it can be. */
export const ambiguityRules: Readonly<Record<Exclude<keyof Ambiguities, 'errorStatus'>, AmbiguityRule>> = {
  contactPageCap: pageSize(100),
  listPageCap: pageSize(500),
  overCap: choice('refuse', 'cap'),
  listDefaultLimit: pageSize(10),
  badQuery: choice('refuse', 'ignore'),
  order: choice('oldest-first', 'newest-first'),
  contactSearchParameter: {
    ...text('text that is not empty', value => value !== ''),
    ...{ value: 'search', usage: 'search', fromText: asIs },
  },
  emptyListing: choice('[]', 'null'),
  fieldPrefix: choice('custom_field_', 'field_'),
  successStatus: success,
  createdStatus: success,
  uniqueNames: choices(['domain', 'tag', 'list', 'postCategory'], ['domain', 'tag']),
  eventRequires: choices(['name', 'identifier', 'data'], ['name', 'identifier']),
  eventOfUnknownContact: choice('accept', 'refuse'),
  unknownCampaign: choice('refuse', 'succeed'),
  trackOfUnknownContact: choice('refuse', 'create'),
  newEmailOfUnknownContact: choice('ignore', 'use'),
  fieldOfIncrement: choice('string', 'number'),
  decrementOfNothing: choice('given', 'negative'),
  emailCase: choice('insensitive', 'exact'),
  legacyStatus: choice('200', 'success'),
  trackData: {
    ...flag,
    value: true,
    usage: 'true|false',
    fromText: text => text === 'true' || (text === 'false' ? false : text),
  },
};

/** HTTP status of each error if `errorStatus` does not have it. */
export const defaultErrorStatus: Readonly<Record<ErrorKind, number>> = {
  unauthorized: 401,
  nameUsed: 409,
  malformed: 400,
  badQuery: 400,
  unknown: 404,
  undeletable: 403,
  methodNotAllowed: 405,
  tooLarge: 413,
  rateLimited: 429,
  serverFailure: 500,
};
