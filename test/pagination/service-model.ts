// Random services and users, and what an iteration over them guarantees.
import fc from 'fast-check';
import { BadRequestError, ConnectionError, EmailMarketingError } from '../../src/errors.ts';
import type { RecordPaginator } from '../../src/pagination/record-paginator.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, ids, refusal } from './fake-list.ts';

interface ModelRecord {
  readonly id: string;
  readonly bytes: number;
}

type Scenario = typeof anyScenario extends fc.Arbitrary<infer Made> ? Made : never;

/** Number of requests after which the list stops changing, so that every run ends. */
const changesEndAfter = 150;

/** Maximum number of requests of a run that ends. */
const maxRequests = 40_000;

/** A list that others change, and a service that caps, cuts, rejects and fails. */
class ServiceModel extends FakeList<ModelRecord> {
  /** Ids of the records that existed from the start until now. */
  readonly throughout: Set<string>;
  readonly #scenario: Scenario;
  readonly #random: () => number;
  #made = 0;

  constructor(scenario: Scenario, random: () => number) {
    super([], Number.POSITIVE_INFINITY);
    this.#scenario = scenario;
    this.#random = random;
    this.records = Array.from({ length: scenario.size }, () => this.#make());
    this.throughout = new Set(ids(this.records));
    this.mostAllowed = scenario.maxLimit;
    if (scenario.refusesOffset) this.refusesOffset = () => refusal(BadRequestError, 400);
    // Lets requests be handled, and responses arrive, in any order.
    const settle = async () => {
      for (let turns = Math.floor(random() * 6); turns > 0; turns--) await undefined;
    };
    this.onRequest = async request => {
      if (request > maxRequests) throw new Error('endless');
      await settle();
      this.change();
      if (random() < scenario.failureRate) throw new ConnectionError('injected', { outcome: 'unknown' });
    };
    this.onResponse = settle;
  }

  #make(): ModelRecord {
    const { largeRecords, maxBytes } = this.#scenario;
    const bytes = this.#random() < largeRecords ? maxBytes * 1.5 : Math.ceil(this.#random() * 1_000);
    return { id: `contact_${this.#made++}`, bytes };
  }

  change(): void {
    const { deletionRate, deletedShare, additionRate, burst, addedAt } = this.#scenario;
    if (this.requests > changesEndAfter) return;
    const random = this.#random;
    if (random() < deletionRate)
      for (const { id } of this.records.filter(() => random() < deletedShare)) this.delete(id);
    if (random() >= additionRate) return;
    for (let left = Math.ceil(random() * burst); left > 0; left--) {
      const { length } = this.records;
      const at = { start: 0, end: length, anywhere: Math.floor(random() * (length + 1)) }[addedAt];
      this.records.splice(at, 0, this.#make());
    }
  }

  override delete(id: string): void {
    super.delete(id);
    this.throughout.delete(id);
  }

  protected override cut(page: ModelRecord[]): ModelRecord[] {
    const { caps, maxBytes, fewest } = this.#scenario;
    let bytes = 0;
    return page.slice(0, caps[Math.floor(this.#random() * caps.length)]).filter((record, index) => {
      bytes += record.bytes;
      return index < fewest || bytes <= maxBytes;
    });
  }
}

/** Iterates over a service to the end, through failures and interruptions. */
export async function runScenario(scenario: Scenario) {
  const random = seededRandom(scenario.seed);
  const service = new ServiceModel(scenario, random);
  const reader = new Reader(scenario, service, random);
  while (!(await reader.iterate())) service.change();
  const { yielded, timesOutrun } = reader;
  return { yielded, throughout: [...service.throughout], timesOutrun };
}

/** A user who iterates, leaves and resumes. */
class Reader {
  readonly yielded: string[] = [];
  /** Times that the list was reported to grow faster than it is read. */
  timesOutrun = 0;
  readonly #scenario: Scenario;
  readonly #service: ServiceModel;
  readonly #random: () => number;
  #paginator: RecordPaginator<ModelRecord>;

  constructor(scenario: Scenario, service: ServiceModel, random: () => number) {
    this.#scenario = scenario;
    this.#service = service;
    this.#random = random;
    this.#paginator = this.#paginate(undefined);
  }

  #paginate(checkpoint: string | undefined): RecordPaginator<ModelRecord> {
    const { caps, concurrency } = this.#scenario;
    // If more were requested, a single record counts as the whole list once nothing follows.
    const pageSize = Math.max(...caps) === 1 ? 1 : undefined;
    return this.#service.paginate({ pageSize, concurrency, checkpoint });
  }

  /** Iterates until the end (`true`), an error or a random stop. */
  async iterate(): Promise<boolean> {
    const { deletesWhatItGets, leaveRate } = this.#scenario;
    try {
      for await (const { id } of this.#paginator) {
        this.yielded.push(id);
        if (deletesWhatItGets) this.#service.delete(id);
        if (this.#random() >= leaveRate) continue;
        this.#paginator = this.#paginate(this.#paginator.checkpoint);
        return false;
      }
      return true;
    } catch (error) {
      this.#resume(error);
      return false;
    }
  }

  /** Resumes by the checkpoint of the error. */
  #resume(error: unknown): void {
    if (!EmailMarketingError.isInstance(error)) throw error;
    const { refusesOffset, additionRate } = this.#scenario;
    // An offset that was behind the end and no longer is looks like one that is rejected in the middle.
    const isOvertaken = refusesOffset && additionRate > 0 && error.name === 'BadRequestError';
    const isOutrun = error.message.includes('grows faster') || isOvertaken;
    if (isOutrun) this.timesOutrun += 1;
    else if (error.message !== 'injected') throw error;
    if (error.checkpoint !== this.#paginator.checkpoint) throw new Error('two checkpoints');
    this.#paginator = this.#paginate(error.checkpoint);
  }
}

/**
 * Throws unless each record that existed throughout was yielded, and none twice: a run that was outrun, and resumed behind
 * hundreds of new records, can repeat some (see the limits in the guide).
 */
export function checkExactlyOnce({
  yielded,
  throughout,
  timesOutrun = 0,
}: {
  readonly yielded: readonly string[];
  readonly throughout: readonly string[];
  readonly timesOutrun?: number;
}): void {
  const seen = new Set<string>();
  for (const id of yielded) {
    if (seen.has(id) && timesOutrun === 0) throw new Error(`${id} was yielded twice`);
    seen.add(id);
  }
  const missed = throughout.filter(id => !seen.has(id));
  if (missed.length > 0) throw new Error(`${missed.length} records were missed, ${missed[0]} first`);
}

const rate = (max: number) =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 100 }).map(share => (share / 100) * max),
  );

/** How a service and its users behave in one run. Rates are chances per request, from 0 to 1. */
const common = {
  seed: fc.integer(),
  size: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
  /** A response is cut before it exceeds this, but contains at least `fewest` records. */
  maxBytes: fc.constantFrom(3_000, 20_000, 1_000_000),
  maxLimit: fc.constantFrom(30, 100, 100, 500),
  refusesOffset: fc.boolean(),
  failureRate: rate(0.1),
  /** Chance that the loop is left after a record and resumed later. */
  leaveRate: rate(0.03),
  concurrency: fc.constantFrom(1, 1, 2, 4, 8, 16),
};

const capsFrom = (...caps: number[]) => fc.array(fc.constantFrom(...caps), { minLength: 1, maxLength: 4 });

/** Lists that change while they are read, in pages of at least ten records: see the guide for shorter pages. */
const changing = {
  ...common,
  /** Maximum number of records per response: one of these, drawn for each request. */
  caps: capsFrom(10, 30, 99, 100, 500),
  fewest: fc.constant(10),
  /** Share of records that exceed `maxBytes` by themselves. */
  largeRecords: rate(0.2),
  deletionRate: rate(0.5),
  /** Share of the records that are deleted at once. */
  deletedShare: rate(0.2),
  additionRate: rate(1),
  burst: fc.constantFrom(1, 3),
  addedAt: fc.constantFrom('start' as const, 'end' as const, 'anywhere' as const),
  deletesWhatItGets: fc.boolean(),
};

/** Interrupted iterations over a list that changes, and uninterrupted ones over a list that changes by many records at once. */
export const changingScenario = fc.oneof(
  // If records are added faster than a search makes requests, a resumed iteration starts over: see the guide.
  fc.record({ ...changing, additionRate: rate(0.5) }),
  fc.record({
    ...changing,
    burst: fc.constantFrom(3, 10, 40),
    failureRate: fc.constant(0),
    leaveRate: fc.constant(0),
  }),
);

/** Lists that only shrink, anywhere. */
export const shrinkingScenario = fc.record({
  ...changing,
  deletionRate: rate(1),
  deletedShare: rate(0.05),
  additionRate: fc.constant(0),
});

/** Lists that only shrink, read one record at a time. */
export const singleRecordScenario = fc.record({
  ...changing,
  caps: capsFrom(1),
  fewest: fc.constant(1),
  additionRate: fc.constant(0),
});

/** Lists that do not change, from services that return always one record, or any number from two. */
export const steadyScenario = fc.record({
  ...common,
  caps: fc.oneof(capsFrom(1), capsFrom(2, 3, 10, 30, 99, 100, 500)),
  fewest: fc.constant(2),
  largeRecords: rate(0.3),
  deletionRate: fc.constant(0),
  deletedShare: fc.constant(0),
  additionRate: fc.constant(0),
  burst: fc.constant(0),
  addedAt: fc.constant('end' as const),
  deletesWhatItGets: fc.constant(false),
});

/** Lists and services of every kind. */
export const anyScenario = fc.oneof(
  changingScenario,
  shrinkingScenario,
  singleRecordScenario,
  steadyScenario,
);
