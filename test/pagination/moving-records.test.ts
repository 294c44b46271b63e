// Iterations over lists that are sorted by the last change of each record, by name, or by creation, while others and the loop
// itself change, add and delete records. Prints what each kind of list cost.
import { afterAll, describe, expect, test } from 'vitest';
import { allContacts } from '../../src/cli/export/contacts.ts';
import { BadRequestError } from '../../src/errors.ts';
import { runs } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, item, refusal } from './fake-list.ts';

/** How a list is sorted, and how many records change in it before each response, on average. */
interface Kind {
  /** By the last change, oldest or newest first; by name; or by creation, oldest or newest first, or in no order. */
  readonly sorted: 'changed' | 'changed last' | 'name' | 'created' | 'created last' | 'anyhow';
  readonly updates?: number;
  readonly additions?: number;
  readonly deletions?: number;
  /** Share of the records that the loop itself changes, or deletes. */
  readonly loopUpdates?: number;
  readonly loopDeletions?: number;
  /** Records per response: one of these. */
  readonly caps?: readonly number[];
  readonly refusesOffset?: boolean;
  readonly concurrency?: number;
  /** Chance that the loop is left after a record, and resumed once as many records were added at the start, at most. */
  readonly left?: number;
  readonly addedBetween?: number;
}

interface Named extends Item {
  name: number;
}

/** A service whose list changes with each request. */
class ChangingService extends FakeList<Named> {
  /** Ids of the records that existed from the start until now. */
  readonly throughout = new Set<string>();
  readonly kind: Kind;
  readonly random: () => number;
  #made = 0;

  constructor(kind: Kind, seed: number) {
    super([], Number.POSITIVE_INFINITY);
    this.kind = kind;
    this.random = seededRandom(seed);
    for (let left = this.pick(600); left > 0; left--) this.add();
    for (const { id } of this.records) this.throughout.add(id);
    if (kind.refusesOffset) this.refusesOffset = () => refusal(BadRequestError, 400);
    this.onRequest = async request => {
      // Requests are handled, and responses arrive, in any order.
      for (let turns = kind.concurrency ? this.pick(4) : 0; turns > 0; turns--) await undefined;
      if (request > 5_000) throw new Error('endless');
      if (request > 400) return;
      this.#times(kind.updates, () => this.update(this.#any()));
      this.#times(kind.deletions, () => this.delete(this.#any()?.id ?? ''));
      this.#times(kind.additions, () => this.add());
    };
  }

  pick(below: number): number {
    return Math.floor(this.random() * below);
  }

  #any(): Named | undefined {
    return this.records[this.pick(this.records.length)];
  }

  #times(mean = 0, act: () => void): void {
    for (let left = this.pick(2 * mean + 1); left > 0; left--) act();
  }

  add(): void {
    this.#insert({ ...item(this.#made++), name: this.random() });
  }

  #insert(record: Named): void {
    const { sorted } = this.kind;
    if (sorted === 'changed' || sorted === 'created') this.records.push(record);
    else if (sorted.endsWith('last')) this.records.unshift(record);
    else if (sorted === 'anyhow') this.records.splice(this.pick(this.records.length + 1), 0, record);
    else {
      const index = this.records.findIndex(({ name }) => name > record.name);
      this.records.splice(index < 0 ? this.records.length : index, 0, record);
    }
  }

  /** Changes a record, which moves it unless the list is sorted by creation. */
  update(record: Named | undefined): void {
    const index = record ? this.records.indexOf(record) : -1;
    if (!record || index < 0) return;
    this.records.splice(index, 1);
    record.name = this.random();
    this.#insert(record);
  }

  override delete(id: string): void {
    super.delete(id);
    this.throughout.delete(id);
  }

  protected override cut(page: Named[]): Named[] {
    const { caps = [100] } = this.kind;
    return page.slice(0, caps[this.pick(caps.length)]);
  }
}

/** Iterates to the end, by several loops if they are left, and returns what was missed and repeated. */
async function iterate(kind: Kind, seed: number) {
  const { concurrency = 1, left = 0, addedBetween = 0, loopUpdates = 0, loopDeletions = 0 } = kind;
  const service = new ChangingService(kind, seed);
  const yielded: string[] = [];
  let errors = 0;
  let checkpoint: string | undefined;
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    const paginator = service.paginate({ concurrency, checkpoint });
    try {
      for await (const record of paginator) {
        yielded.push(record.id);
        if (service.random() < loopUpdates) service.update(record);
        if (service.random() < loopDeletions) service.delete(record.id);
        isLeft = service.random() < left;
        if (isLeft) break;
      }
    } catch (error) {
      // The reader gives up, or the service refuses each offset that the reader tries.
      if (!/grows faster/.test((error as Error).message) && !(error instanceof BadRequestError)) throw error;
      errors += 1;
    }
    checkpoint = paginator.checkpoint;
    for (let added = service.pick(addedBetween); added > 0; added--) service.add();
  }
  const seen = new Set(yielded);
  const missed = ids(service.records).filter(id => service.throughout.has(id) && !seen.has(id)).length;
  return { missed, repeated: yielded.length - seen.size, errors, requests: service.requests };
}

const mixed = { updates: 5, additions: 1, deletions: 1 };

/** Lists of which none is missed or repeated. */
const certain: Readonly<Record<string, Kind>> = {
  'sorted by last change, oldest first, which others change': { sorted: 'changed', updates: 10 },
  'sorted by last change, newest first, which others change': { sorted: 'changed last', updates: 10 },
  'sorted by last change, oldest first, which the loop changes': { sorted: 'changed', loopUpdates: 0.1 },
  'sorted by last change, newest first, which the loop changes': { sorted: 'changed last', loopUpdates: 0.1 },
  'sorted by last change, oldest first, of which the loop changes all': { sorted: 'changed', loopUpdates: 1 },
  'sorted by last change, newest first, of which the loop changes all': {
    sorted: 'changed last',
    loopUpdates: 1,
  },
  'sorted by last change, newest first, with additions and deletions': {
    ...mixed,
    sorted: 'changed last',
    loopUpdates: 0.05,
    loopDeletions: 0.05,
  },
  'sorted by last change, newest first, in pages of 30': {
    ...mixed,
    sorted: 'changed last',
    updates: 3,
    caps: [30],
  },
  'sorted by last change, oldest first, in pages of 30': { sorted: 'changed', updates: 3, caps: [30] },
  'sorted by last change, oldest first, read ahead': { sorted: 'changed', updates: 3, concurrency: 4 },
  'sorted by last change, newest first, read ahead': { sorted: 'changed last', updates: 3, concurrency: 4 },
  'sorted by last change, oldest first, of which the loop deletes half': {
    sorted: 'changed',
    updates: 2,
    deletions: 2,
    caps: [50],
    refusesOffset: true,
    loopDeletions: 0.5,
  },
  'sorted by creation, with additions at the start': { sorted: 'created last', additions: 5 },
  'in a fixed order, with additions and deletions anywhere': { sorted: 'anyhow', additions: 4, deletions: 4 },
  'in a fixed order, with a refused end': {
    sorted: 'anyhow',
    additions: 1,
    deletions: 3,
    caps: [30],
    refusesOffset: true,
  },
  'in a fixed order, in pages of 7': { sorted: 'anyhow', additions: 1, deletions: 1, caps: [7] },
  'in a fixed order, read ahead': {
    sorted: 'anyhow',
    additions: 2,
    deletions: 3,
    caps: [30],
    concurrency: 4,
  },
  'in a fixed order, of which the loop deletes all': {
    sorted: 'created last',
    additions: 1,
    deletions: 1,
    loopDeletions: 1,
  },
};

/** Lists of which some are missed or repeated: at most so many of a thousand loops' records, see the guide. */
const uncertain: Readonly<Record<string, Kind>> = {
  'sorted by name, with renames': { sorted: 'name', updates: 1, additions: 1, deletions: 1 },
  'sorted by last change, oldest first, in pages of 30 of which the loop changes half': {
    sorted: 'changed',
    loopUpdates: 0.5,
    caps: [30],
  },
  'sorted by last change, oldest first, with additions and deletions': {
    sorted: 'changed',
    updates: 1,
    additions: 1,
    deletions: 1,
    loopUpdates: 0.02,
  },
  'sorted by last change, newest first, in pages of 7': { sorted: 'changed last', updates: 3, caps: [7] },
  'in a fixed order, in pages of random length': {
    sorted: 'anyhow',
    additions: 1,
    deletions: 1,
    caps: [2, 5, 30, 100],
  },
  // A checkpoint remembers 200 records: one that was added before them can be yielded again.
  'in a fixed order, read by several loops': { sorted: 'anyhow', additions: 1, deletions: 1, left: 0.01 },
  'by creation, read by several loops between which many are added': {
    sorted: 'created last',
    additions: 1,
    caps: [30],
    left: 0.01,
    addedBetween: 60,
  },
};

const report: string[] = [];
afterAll(() => console.log(report.join('\n')));

/** Iterates over many lists of a kind, and reports the sums. */
async function sumOf(name: string, kind: Kind) {
  const loops = runs(20, 3_000);
  const sum = { missed: 0, repeated: 0, errors: 0, requests: 0 };
  for (let seed = 1; seed <= loops; seed++) {
    const loop = await iterate(kind, seed);
    for (const key of ['missed', 'repeated', 'errors', 'requests'] as const) sum[key] += loop[key];
  }
  report.push(`${name}: ${JSON.stringify(sum)} of ${loops} loops`);
  return { ...sum, loops };
}

describe('a loop misses and repeats none over a list', { timeout: 600_000 }, () => {
  test.each(Object.entries(certain))('%s', async (name, kind) => {
    expect(await sumOf(name, kind)).toMatchObject({ missed: 0, repeated: 0, errors: 0 });
  });
});

describe('a loop misses and repeats few over a list', { timeout: 600_000 }, () => {
  test.each(Object.entries(uncertain))('%s', async (name, kind) => {
    const { missed, repeated, errors, loops } = await sumOf(name, kind);
    expect(missed + repeated).toBeLessThanOrEqual(loops);
    expect(errors).toBeLessThanOrEqual(loops / 20);
  });
});

test('a loop that is left while the start is read again repeats no record when it resumes', async () => {
  const list = new ChangingService({ sorted: 'changed last' }, 1);
  list.records = [];
  for (let left = 150; left > 0; left--) list.add();
  list.onRequest = request => {
    if (request === 2) for (const record of list.records.slice(120, 130)) list.update(record);
  };
  const paginator = list.paginate();
  const seen = await paginator.toArray({ max: 145 });
  seen.push(...(await list.paginate({ checkpoint: paginator.checkpoint }).toArray()));
  expect(new Set(ids(seen)).size).toBe(150);
  expect(seen).toHaveLength(150);
});

test.each(['changed', 'changed last'] as const)(
  'an export of contacts sorted by last change (%s) misses and repeats none while others change them',
  async sorted => {
    for (let seed = 1; seed <= 20; seed++) {
      const service = new ChangingService({ sorted, updates: 5, caps: [30, 100] }, seed);
      const request = ({ query }: { query: { offset: number; limit: number } }, options: object) =>
        service.load(query, { signal: new AbortController().signal, ...options });
      const exported = await allContacts({ request } as never, new WeakSet(), {}).toArray();
      expect(ids(exported).sort()).toEqual(ids(service.records).sort());
    }
  },
);
