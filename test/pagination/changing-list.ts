// A list that changes with each request, and a user who iterates over it.
import { BadRequestError, ConnectionError, type EmailMarketingError } from '../../src/errors.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, item, refusal } from './fake-list.ts';

/** How a list is sorted, how many records change in it before each response on average, and how it is read. */
export interface Kind {
  /** By the last change, oldest or newest first; by name; or by creation, oldest or newest first, or in no order. */
  readonly sorted: 'changed' | 'changed last' | 'name' | 'created' | 'created last' | 'anyhow';
  /** Number of records at first; by default, a random one below 600. */
  readonly size?: number;
  readonly updates?: number;
  readonly additions?: number;
  readonly deletions?: number;
  /** Share of the requests before which the list changes; all by default. */
  readonly changeRate?: number;
  /** Share of the records that the loop itself changes, or deletes. */
  readonly loopUpdates?: number;
  readonly loopDeletions?: number;
  /** Records per response: one of these. */
  readonly caps?: readonly number[];
  /** Maximum `limit` that is not rejected. */
  readonly maxLimit?: number;
  readonly refusesOffset?: boolean;
  readonly concurrency?: number;
  /** Share of the requests that fail. If it is set, the loop is resumed after every error. */
  readonly failureRate?: number;
  /** Chance that the loop is left after a record, and resumed once as many records were added at the start, at most. */
  readonly left?: number;
  readonly addedBetween?: number;
}

/** Number of requests after which the list stops changing, so that every run ends. */
const changesEndAfter = 400;

/** Maximum number of requests of a run that ends. */
const maxRequests = 40_000;

interface Named extends Item {
  name: number;
}

export class ChangingList extends FakeList<Named> {
  /** Ids of the records that existed from the start until now. */
  readonly throughout = new Set<string>();
  readonly kind: Kind;
  readonly random: () => number;
  #made = 0;

  constructor(kind: Kind, seed: number) {
    super([], Number.POSITIVE_INFINITY);
    this.kind = kind;
    this.random = seededRandom(seed);
    for (let left = kind.size ?? this.pick(600); left > 0; left--) this.add();
    for (const { id } of this.records) this.throughout.add(id);
    this.mostAllowed = kind.maxLimit ?? this.mostAllowed;
    if (kind.refusesOffset) this.refusesOffset = () => refusal(BadRequestError, 400);
    this.onRequest = async request => {
      // Requests are handled, and responses arrive, in any order.
      for (let turns = kind.concurrency ? this.pick(4) : 0; turns > 0; turns--) await undefined;
      if (request > maxRequests) throw new Error('endless');
      if (request <= changesEndAfter) this.#change(kind);
      if (kind.failureRate && this.random() < kind.failureRate)
        throw new ConnectionError('injected', { outcome: 'unknown' });
    };
  }

  #change({ changeRate, updates, deletions, additions }: Kind): void {
    if (changeRate !== undefined && this.random() >= changeRate) return;
    this.#times(updates, () => this.update(this.#any()));
    this.#times(deletions, () => this.delete(this.#any()?.id ?? ''));
    this.#times(additions, () => this.add());
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

/** Iterates to the end, by several loops if they are left, and counts the errors that report a list that outruns the loop. */
export async function iterate(kind: Kind, seed: number) {
  const { concurrency = 1, left = 0, addedBetween = 0, loopUpdates = 0, loopDeletions = 0, caps = [] } = kind;
  const list = new ChangingList(kind, seed);
  // If more were requested, a single record counts as the whole list once nothing follows.
  const pageSize = Math.max(...caps) === 1 ? 1 : undefined;
  const yielded: string[] = [];
  let errors = 0;
  let checkpoint: string | undefined;
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    const paginator = list.paginate({ concurrency, checkpoint, pageSize });
    try {
      for await (const record of paginator) {
        yielded.push(record.id);
        if (list.random() < loopUpdates) list.update(record);
        if (list.random() < loopDeletions) list.delete(record.id);
        isLeft = list.random() < left;
        if (isLeft) break;
      }
    } catch (error) {
      if (isOutrun(error as Error)) errors += 1;
      else if ((error as Error).message !== 'injected') throw error;
      if ((error as EmailMarketingError).checkpoint !== paginator.checkpoint)
        throw new Error('two checkpoints');
      isLeft = kind.failureRate !== undefined;
    }
    checkpoint = paginator.checkpoint;
    for (let added = list.pick(addedBetween); added > 0; added--) list.add();
  }
  const { requests, throughout } = list;
  return { yielded, throughout, errors, requests, ...mistakesOf(yielded, throughout) };
}

/** Whether the reader gives up, or the service refuses each offset that the reader tries: one that was past the end. */
const isOutrun = (error: Error): boolean =>
  error.message.includes('changes faster') || error instanceof BadRequestError;

/** Returns how many of the records that existed throughout were missed, and how many of any were repeated. */
export function mistakesOf(yielded: readonly string[], throughout: Iterable<string>) {
  const seen = new Set(yielded);
  const missed = [...throughout].filter(id => !seen.has(id)).length;
  return { missed, repeated: yielded.length - seen.size };
}

export const none = { missed: 0, repeated: 0 };
