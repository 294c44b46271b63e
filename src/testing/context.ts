import { Exchange } from './dispatcher.ts';
import { Faults } from './faults/faults.ts';
import { Journal } from './journal.ts';
import {
  decideSilences,
  defaultApiKey,
  defaultTeamId,
  type SandboxOptions,
  type Silences,
} from './options.ts';
import { Random } from './service/random.ts';
import { fill } from './service/seed.ts';
import { Service } from './service/service.ts';
import { createState, type State } from './service/state.ts';

/** The options that have a default, with it. */
interface Settings {
  readonly apiKey: string;
  readonly legacyApiKey: string;
  readonly teamId: string;
  readonly maxBodyBytes: number;
  readonly journalLimit: number;
  readonly randomSeed: number;
  readonly now: () => Date;
  readonly bases: Bases;
  readonly silences: Silences;
}

/** Everything behind the ways in: what a sandbox holds, and what answers its requests. */
export interface Engine extends Settings {
  readonly state: State;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly exchange: Exchange;
  /** Puts everything back to the seed. */
  reset(): void;
}

function readSettings(options: SandboxOptions): Settings {
  const { apiKey = defaultApiKey, teamId = defaultTeamId, now = () => new Date() } = options;
  const { legacyApiKey = apiKey, maxBodyBytes = 2 ** 20, journalLimit = 10_000, randomSeed = 1 } = options;
  const [bases, silences] = [readBases(options), decideSilences(options)];
  return { apiKey, legacyApiKey, teamId, maxBodyBytes, journalLimit, randomSeed, now, bases, silences };
}

/** Makes the engine that options describe, seeded. */
export function createEngine(options: SandboxOptions): Engine {
  const settings = readSettings(options);
  const { randomSeed, now, silences } = settings;
  const [random, chances] = [new Random(randomSeed), new Random(randomSeed)];
  const state = createState({ random, now, silences });
  const [journal, faults] = [new Journal(), new Faults(chances, now)];
  const service = new Service(settings);
  const exchange = new Exchange({ ...settings, service, state, faults, journal, onAnswer: options.onAnswer });
  const reset = () => {
    for (const collection of Object.values(state)) collection.clear();
    for (const numbers of [random, chances]) numbers.restart();
    fill(state, options.seed ?? {}, random);
    journal.length = 0;
    exchange.reset();
    faults.clear();
  };
  reset();
  return { ...settings, state, journal, faults, exchange, reset };
}

/** Where an interface is. */
export interface Base {
  /** Absent: any host. */
  readonly origin: string | undefined;
  /** Without a slash at the end; mostly empty. */
  readonly path: string;
}

/** Where both interfaces are. */
export type Bases = Readonly<Record<'rest' | 'legacy', Base>>;

function readBases({ baseUrl, legacyBaseUrl = baseUrl }: SandboxOptions): Bases {
  return { rest: readBase(baseUrl), legacy: readBase(legacyBaseUrl) };
}

function readBase(address: string | undefined): Base {
  if (address === undefined) return { origin: undefined, path: '' };
  const { origin, pathname } = new URL(address);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** Whether an address is one of the service's, and so for MSW's handlers to answer. */
export function owns(bases: Bases, { origin, pathname }: URL): boolean {
  return Object.values(bases).some(
    base => (base.origin ?? origin) === origin && pathname.startsWith(`${base.path}/api/v1/`),
  );
}
