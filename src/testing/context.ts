import { Dispatcher } from './dispatcher.ts';
import { Faults } from './faults/faults.ts';
import { Journal } from './journal.ts';
import { JournalWriter } from './journal-writer.ts';
import { checkOptions, decideAmbiguities } from './option-check.ts';
import {
  defaultApiKey,
  defaultJournalBytes,
  defaultJournalLimit,
  defaultMaxBodyBytes,
  defaultTeamId,
  type SandboxOptions,
} from './options.ts';
import type { Ambiguities } from './service/ambiguities.ts';
import { Random } from './service/random.ts';
import { readSeed } from './service/read-seed.ts';
import { type Api, Router } from './service/router.ts';
import { seedState } from './service/seed.ts';
import { Service } from './service/service.ts';
import { createState, type State } from './service/state.ts';

/** The options that have a default, with it. */
interface Settings {
  readonly apiKey: string;
  readonly legacyApiKey: string;
  readonly teamId: string;
  readonly maxBodyBytes: number;
  readonly journalLimit: number;
  readonly journalBytes: number;
  readonly randomSeed: number;
  readonly corsOrigins: readonly string[];
  readonly now: () => Date;
  readonly bases: Readonly<Record<Api, { readonly path: string }>>;
  readonly ambiguities: Ambiguities;
}

/** The parts of a sandbox: what it holds, and what responds to its requests. */
export interface SandboxContext extends Settings {
  readonly state: State;
  readonly journal: Journal;
  readonly writer: JournalWriter;
  readonly router: Router;
  readonly faults: Faults;
  readonly dispatcher: Dispatcher;
  /** Puts everything back to the seed. */
  reset(): void;
}

function readSettings(options: SandboxOptions): Settings {
  checkOptions(options);
  const { apiKey = defaultApiKey, teamId = defaultTeamId, now = () => new Date() } = options;
  const { baseUrl, legacyBaseUrl = baseUrl } = options;
  return {
    apiKey,
    teamId,
    now,
    legacyApiKey: options.legacyApiKey ?? apiKey,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    journalLimit: options.journalLimit ?? defaultJournalLimit,
    journalBytes: options.journalBytes ?? defaultJournalBytes,
    randomSeed: options.randomSeed ?? 1,
    corsOrigins: options.corsOrigins ?? [],
    bases: { rest: { path: pathOf(baseUrl) }, legacy: { path: pathOf(legacyBaseUrl) } },
    ambiguities: decideAmbiguities(options),
  };
}

/** Returns the path of a base URL, without a slash at the end; mostly empty. */
function pathOf(address: string | undefined): string {
  return address === undefined ? '' : new URL(address).pathname.replace(/\/$/, '');
}

/** Creates the parts that the options describe, with the records of the seed. */
export function createContext(options: SandboxOptions): SandboxContext {
  const settings = readSettings(options);
  const { randomSeed, now, ambiguities } = settings;
  const [random, chances] = [new Random(randomSeed), new Random(randomSeed)];
  const state = createState({ random, now, ambiguities });
  const router = new Router();
  const journal = new Journal();
  const writer = new JournalWriter(journal, settings);
  const faults = new Faults(chances, now, () => router.endpoints);
  const service = new Service(settings, router, state);
  const dispatcher = new Dispatcher({ service, faults, writer, now, onResponse: options.onResponse });
  const reset = () => {
    for (const collection of Object.values(state)) collection.clear();
    for (const numbers of [random, chances]) numbers.restart();
    seedState(state, readSeed(options.seed ?? {}, ambiguities), random);
    writer.reset();
    faults.clear();
  };
  reset();
  return { ...settings, state, journal, writer, router, faults, dispatcher, reset };
}
