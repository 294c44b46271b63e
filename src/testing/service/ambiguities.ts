import { aWholeNumber, type OptionRule, oneOf } from '../../core/option-rules.ts';
import { aName } from '../rules.ts';
import type { ErrorKind } from './error-response.ts';

/** Valid values of an ambiguity, and its default. */
interface AmbiguityRule<T = unknown> extends OptionRule {
  readonly value: T;
}

/** A page can have up to a million records. */
const pageSize = (value: number): AmbiguityRule<number> => ({ ...aWholeNumber(1, 1_000_000), value });
/** The first value is the default. */
const choice = <const T extends string>(...values: readonly [T, ...T[]]): AmbiguityRule<T> => ({
  ...oneOf(values),
  value: values[0],
});

/** Behavior that the service does not document. Rule 13.3 lists each question and default. */
export interface Ambiguities {
  /** Maximum `limit` of `GET /contact`. @defaultValue 100 */
  readonly contactPageCap: number;
  /** Maximum `limit` of `GET /list`. @defaultValue 500 */
  readonly listPageCap: number;
  /** Response to a `limit` over the maximum: an error, or a page of maximum size. @defaultValue 'refuse' */
  readonly overCap: 'refuse' | 'cap';
  /** Order of listings. @defaultValue 'oldest-first' */
  readonly order: 'oldest-first' | 'newest-first';
  /** Treatment of undocumented fields in a body, such as misspelled ones. @defaultValue 'ignore' */
  readonly unknownFields: 'ignore' | 'reject';
  /** Name of the search parameter of `GET /contact`. @defaultValue 'search' */
  readonly contactSearchParameter: string;
  /** Prefix of custom-field keys in contacts over REST. @defaultValue 'custom_field_' */
  readonly fieldPrefix: 'custom_field_' | 'field_';
  /** Response to a custom event for an unknown contact. @defaultValue 'accept' */
  readonly eventOfUnknownContact: 'accept' | 'refuse';
  /** Response to Track for an unknown email. @defaultValue 'refuse' */
  readonly trackOfUnknownContact: 'refuse' | 'create';
  /** HTTP status of each error. Missing entries keep their defaults. */
  readonly errorStatus: Readonly<Partial<Record<ErrorKind, number>>>;
}

type AmbiguityRules = {
  readonly [Name in Exclude<keyof Ambiguities, 'errorStatus'>]: AmbiguityRule<Ambiguities[Name]>;
};

/** Rule of every ambiguity except `errorStatus`. */
export const ambiguityRules: AmbiguityRules = {
  contactPageCap: pageSize(100),
  listPageCap: pageSize(500),
  overCap: choice('refuse', 'cap'),
  order: choice('oldest-first', 'newest-first'),
  unknownFields: choice('ignore', 'reject'),
  contactSearchParameter: { ...aName, value: 'search' },
  fieldPrefix: choice('custom_field_', 'field_'),
  eventOfUnknownContact: choice('accept', 'refuse'),
  trackOfUnknownContact: choice('refuse', 'create'),
};
