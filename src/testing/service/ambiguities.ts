import { aWholeNumber, type OptionRule, oneOf } from '../../core/option-rules.ts';
import { array, text } from '../rules.ts';
import type { ErrorKind } from './error-response.ts';

/** Valid values of an ambiguity, and its default. */
export interface AmbiguityRule<T = unknown> extends OptionRule {
  readonly value: T;
}

const whole = (least: number, most: number, value: number): AmbiguityRule<number> => ({
  ...aWholeNumber(least, most),
  value,
});
/** A page can have up to a million records. */
const pageSize = (value: number) => whole(1, 1_000_000, value);
const success = whole(200, 299, 200);
const anyText = (value: string): AmbiguityRule<string> => ({
  ...text('a non-empty string', given => given !== ''),
  value,
});
/** The first value is the default. */
const choice = <const T extends string>(...values: readonly [T, ...T[]]): AmbiguityRule<T> => ({
  ...oneOf(values),
  value: values[0],
});
const choices = <const T extends string>(
  values: readonly T[],
  value: readonly T[],
): AmbiguityRule<readonly T[]> => ({
  ...array(`some of ${values.join(', ')}`, item => values.includes(item as T)),
  value,
});
/** Rule of every ambiguity except `errorStatus`. */
export const ambiguityRules = {
  /** Maximum `limit` of `GET /contact`. @defaultValue 100 */
  contactPageCap: pageSize(100),
  /** Maximum `limit` of `GET /list`. @defaultValue 500 */
  listPageCap: pageSize(500),
  /** Response to a `limit` over the maximum: an error, or a page of maximum size. @defaultValue 'refuse' */
  overCap: choice('refuse', 'cap'),
  /** Default `limit` of `GET /list`. @defaultValue 10 */
  listDefaultLimit: pageSize(10),
  /** Response to any other query value out of range: an error, or the default. @defaultValue 'refuse' */
  badQuery: choice('refuse', 'ignore'),
  /** Order of listings. @defaultValue 'oldest-first' */
  order: choice('oldest-first', 'newest-first'),
  /** Treatment of fields of a body that are not documented, such as misspelt ones. @defaultValue 'ignore' */
  unknownFields: choice('ignore', 'reject'),
  /** Name of the search parameter of `GET /contact`. @defaultValue 'search' */
  contactSearchParameter: anyText('search'),
  /** JSON of an empty listing. @defaultValue '[]' */
  emptyListing: choice('[]', 'null'),
  /** Prefix of custom-field keys in contacts over REST. @defaultValue 'custom_field_' */
  fieldPrefix: choice('custom_field_', 'field_'),
  /** HTTP status of a success. @defaultValue 200 */
  successStatus: success,
  /** HTTP status of a REST `POST` that created something. @defaultValue 200 */
  createdStatus: success,
  /** Kinds of resource whose names are unique. @defaultValue ['domain', 'tag'] */
  uniqueNames: choices(['domain', 'tag', 'list', 'postCategory'], ['domain', 'tag']),
  /** Required members of a custom event. @defaultValue ['name', 'identifier'] */
  eventRequires: choices(['name', 'identifier', 'data'], ['name', 'identifier']),
  /** Response to a custom event for an unknown contact. @defaultValue 'accept' */
  eventOfUnknownContact: choice('accept', 'refuse'),
  /** Response to deleting a campaign that does not exist. @defaultValue 'refuse' */
  unknownCampaign: choice('refuse', 'succeed'),
  /** Response to Track for an unknown email. @defaultValue 'refuse' */
  trackOfUnknownContact: choice('refuse', 'create'),
};

type ValuesOf<Rules> = {
  readonly [Name in keyof Rules]: Rules[Name] extends AmbiguityRule<infer T> ? T : never;
};

/** Behavior that the service does not document. Rule 13.3 lists each question and default. */
export interface Ambiguities extends ValuesOf<typeof ambiguityRules> {
  /** HTTP status of each error. Missing entries keep their defaults. */
  readonly errorStatus: Readonly<Partial<Record<ErrorKind, number>>>;
}
