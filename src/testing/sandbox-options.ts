import { aFunction, anObject, aWholeNumber, type OptionRules } from '../core/option-rules.ts';
import type { RecordedRequest } from './request-log.ts';
import { aName, checkMembers, httpStatus } from './rules.ts';
import { type Ambiguities, ambiguityRules } from './service/ambiguities.ts';
import { errorKinds } from './service/error-response.ts';
import type { Seed } from './service/seed.ts';
import type { Snapshot } from './service/state.ts';

/** Options of {@link createSandbox}. */
export interface SandboxOptions {
  /** API key for REST calls. @defaultValue 'sandbox-key' */
  readonly apiKey?: string | undefined;
  /** Team id for legacy calls. @defaultValue 'sandbox-team' */
  readonly teamId?: string | undefined;
  /** API key for legacy calls. @defaultValue the value of `apiKey` */
  readonly legacyApiKey?: string | undefined;
  /** Initial records; `reset()` restores them. @defaultValue none */
  readonly seed?: Seed | undefined;
  /** Initial records in place of `seed`, as `snapshot()` returned them; `reset()` restores them. @defaultValue none */
  readonly snapshot?: Partial<Snapshot> | undefined;
  /** Returns the current time. @defaultValue the machine's clock */
  readonly now?: (() => Date) | undefined;
  /** Maximum number of requests in the request log. If it is exceeded, the oldest tenth is removed. @defaultValue 10 000 */
  readonly maxLoggedRequests?: number | undefined;
  /** Called with each request once it has a response or its connection is cut. */
  readonly onResponse?: ((request: RecordedRequest) => void) | undefined;
  /** Overrides for behavior that the service does not document, such as `{ overCap: 'cap' }`. */
  readonly ambiguities?: Partial<Ambiguities> | undefined;
}

const defaults = {
  apiKey: 'sandbox-key',
  teamId: 'sandbox-team',
  now: () => new Date(),
  maxLoggedRequests: 10_000,
};

const optionRules: OptionRules<keyof SandboxOptions> = {
  apiKey: aName,
  teamId: aName,
  legacyApiKey: aName,
  seed: anObject,
  snapshot: anObject,
  now: aFunction,
  maxLoggedRequests: aWholeNumber(1),
  onResponse: aFunction,
  ambiguities: anObject,
};

/** Applies the defaults. Throws a `RangeError` that names the first invalid option. */
export function readOptions(options: SandboxOptions) {
  checkMembers('option', options, optionRules);
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...(set as Partial<typeof defaults>) };
  const { legacyApiKey = settings.apiKey, ambiguities = {} } = options;
  return { ...settings, legacyApiKey, ambiguities: decideAmbiguities(ambiguities) };
}

/** Rules for the members of `ambiguities`. */
const choiceRules: OptionRules = { ...ambiguityRules, errorStatus: anObject };
const statusRules: OptionRules = Object.fromEntries(Object.keys(errorKinds).map(kind => [kind, httpStatus]));

/** Fills in the default of every ambiguity that is not set, except HTTP statuses. */
export function decideAmbiguities(input: Partial<Ambiguities>): Ambiguities {
  checkMembers('ambiguity', input, choiceRules, 'ambiguities.');
  const { errorStatus = {}, ...choices } = input;
  checkMembers('error in errorStatus', errorStatus, statusRules, 'ambiguities.errorStatus.');
  const decided = Object.entries(ambiguityRules).map(([name, rule]) => [
    name,
    choices[name as keyof typeof ambiguityRules] ?? rule.value,
  ]);
  return { ...Object.fromEntries(decided), errorStatus };
}
