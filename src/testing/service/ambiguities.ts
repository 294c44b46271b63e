import { array, flag, oneOf, type Rule, text, wholeNumber } from '../rules.ts';
import type { ErrorKind } from './error-response.ts';

/** Behavior that the service does not document. The sandbox guide explains each default. */
export interface Ambiguities {
  /** Maximum `limit` of `GET /contact`. @defaultValue 100 */
  readonly contactPageCap: number;
  /** Maximum `limit` of `GET /list`. @defaultValue 500 */
  readonly listPageCap: number;
  /** Response to a `limit` over the maximum: an error, or a page of maximum size. @defaultValue 'refuse' */
  readonly overCap: 'refuse' | 'cap';
  /** Default `limit` of `GET /list`. @defaultValue 10 */
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
  /** HTTP status of a REST `POST` that created something. @defaultValue 200 */
  readonly createdStatus: number;
  /** HTTP status of each error. Missing entries keep their defaults. */
  readonly errorStatus: Readonly<Partial<Record<ErrorKind, number>>>;
  /** Kinds of resource whose names are unique. @defaultValue ['domain', 'tag'] */
  readonly uniqueNames: readonly ('domain' | 'tag' | 'list' | 'postCategory')[];
  /** Required members of a custom event. @defaultValue ['name', 'identifier'] */
  readonly eventRequires: readonly ('name' | 'identifier' | 'data')[];
  /** Response to a custom event for an unknown contact. @defaultValue 'accept' */
  readonly eventOfUnknownContact: 'accept' | 'refuse';
  /** Response to deleting a campaign that does not exist. @defaultValue 'refuse' */
  readonly unknownCampaign: 'refuse' | 'succeed';
  /** Response to Track for an unknown email. @defaultValue 'refuse' */
  readonly trackOfUnknownContact: 'refuse' | 'create';
  /** Treatment of `newEmail` in Identify if no contact has `email`. @defaultValue 'ignore' */
  readonly newEmailOfUnknownContact: 'ignore' | 'use';
  /** Data type of a custom field that a `++` or `--` value creates. @defaultValue 'string' */
  readonly fieldOfIncrement: 'number' | 'string';
  /** Value that `--5` stores in an empty number field: `5` (the given number) or `-5`. @defaultValue 'given' */
  readonly decrementOfNothing: 'given' | 'negative';
  /** Comparison of emails. With `insensitive`, `A@x.test` and `a@x.test` are the same contact. @defaultValue 'insensitive' */
  readonly emailCase: 'insensitive' | 'exact';
  /** `status` of a legacy success. @defaultValue '200' */
  readonly legacyStatus: '200' | 'success';
  /** Whether the response of Track contains `data`. @defaultValue true */
  readonly trackData: boolean;
}

/** Valid values of an ambiguity, its default, and its form on the command line. */
export interface AmbiguityRule extends Rule {
  readonly value: unknown;
  /** The values, default first. */
  readonly usage: string;
  /** Parses a value; returns invalid text unchanged. */
  readonly fromText: (text: string) => unknown;
}

const asIs = (text: string): unknown => text;
const whole = (least: number, most: number, value: number): AmbiguityRule => ({
  ...wholeNumber(least, most),
  value,
  usage: `${value}  (${least} to ${most})`,
  fromText: text => (/^\d+$/.test(text) ? Number(text) : text),
});
/** A page can have up to a million records. */
const pageSize = (value: number) => whole(1, 1_000_000, value);
const success = whole(200, 299, 200);
/** The first value is the default. */
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

/** Rule of every ambiguity except `errorStatus`. */
export const ambiguityRules: Readonly<Record<Exclude<keyof Ambiguities, 'errorStatus'>, AmbiguityRule>> = {
  contactPageCap: pageSize(100),
  listPageCap: pageSize(500),
  overCap: choice('refuse', 'cap'),
  listDefaultLimit: pageSize(10),
  badQuery: choice('refuse', 'ignore'),
  order: choice('oldest-first', 'newest-first'),
  contactSearchParameter: {
    ...text('a non-empty string', value => value !== ''),
    value: 'search',
    usage: 'search',
    fromText: asIs,
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

/** Default HTTP status of each error. */
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
