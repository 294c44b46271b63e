import type { RecordedRequest } from './journal.ts';
import type { Ambiguities } from './service/ambiguities.ts';
import type { Seed } from './service/seed.ts';

/** Options of {@link createSandbox}: keys, records at the start, limits, and choices where the specification is ambiguous. */
export interface SandboxOptions extends Partial<Omit<Ambiguities, 'errorStatus'>> {
  /** Key that REST calls must carry. @defaultValue 'sandbox-key' */
  readonly apiKey?: string | undefined;
  /** Team id that legacy calls must carry. @defaultValue 'sandbox-team' */
  readonly teamId?: string | undefined;
  /** Key that legacy calls must carry. @defaultValue the value of `apiKey` */
  readonly legacyApiKey?: string | undefined;
  /**
   * `{base_url}` of the REST interface: the MSW handlers leave other addresses alone, and its path, if it has one, is
   * part of every path. @defaultValue any host, no path
   */
  readonly baseUrl?: string | undefined;
  /** `{legacy_base_url}` of the legacy interface. @defaultValue the value of `baseUrl` */
  readonly legacyBaseUrl?: string | undefined;
  /** Records at the start, and again after `reset()`. @defaultValue none */
  readonly seed?: Seed | undefined;
  /** Seed of every random id and choice, so that each run is the same. @defaultValue 1 */
  readonly randomSeed?: number | undefined;
  /** Returns the current time. @defaultValue the machine's clock */
  readonly now?: (() => Date) | undefined;
  /** Largest request body accepted, in bytes. @defaultValue 1 048 576 */
  readonly maxBodyBytes?: number | undefined;
  /** Number of requests that the journal keeps; the oldest are removed first. @defaultValue 10 000 */
  readonly journalLimit?: number | undefined;
  /** Approximate bytes of requests and responses that the journal keeps. @defaultValue 67 108 864 */
  readonly journalBytes?: number | undefined;
  /** Origins of pages that may call the listening sandbox, such as `http://localhost:5173`. @defaultValue none */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Called with each request after its response, or after its connection was cut. */
  readonly onResponse?: ((request: RecordedRequest) => void) | undefined;
  /** HTTP status of each error, where it differs from the defaults. */
  readonly errorStatus?: Partial<Ambiguities['errorStatus']> | undefined;
}

/** The key that a sandbox expects when none is given. */
export const defaultApiKey = 'sandbox-key';

/** The team id that a sandbox expects when none is given. */
export const defaultTeamId = 'sandbox-team';

/** Largest request body accepted by default: 1 MiB. */
export const defaultMaxBodyBytes = 2 ** 20;

/** Number of requests that the journal keeps by default. */
export const defaultJournalLimit = 10_000;

/** Bytes that the journal keeps by default: 64 MiB. */
export const defaultJournalBytes = 2 ** 26;
