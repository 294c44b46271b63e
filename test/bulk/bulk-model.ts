// Random bulk operations, and the promises that each must keep, for the property tests and the fuzz tests.
import fc from 'fast-check';
import { type BulkResult, bulk } from '../../src/bulk.ts';
import { seededRandom } from '../support/seeded-random.ts';

/** One bulk operation whose calls take random turns and fail at random. */
export const bulkScenario = fc.record({
  seed: fc.integer(),
  items: fc.integer({ min: 0, max: 60 }),
  concurrency: fc.constantFrom(1, 2, 3, 8, 100),
  /** Number of different keys; 0 for no `key`. */
  keys: fc.integer({ min: 0, max: 5 }),
  failureRate: fc.constantFrom(0, 0.05, 0.5),
  ordered: fc.boolean(),
  stopOnError: fc.boolean(),
  /** Result after which the loop is left, or the signal aborted. */
  leaveAfter: fc.nat(60),
  leaveBy: fc.constantFrom('nothing', 'break', 'abort'),
  /** Most turns that the loop takes for one result. */
  loopTurns: fc.constantFrom(0, 10, 300),
});

export type BulkScenario = typeof bulkScenario extends fc.Arbitrary<infer Scenario> ? Scenario : never;

/** Results that may wait, as a multiple of the concurrency, as the guide says. */
const waitingRounds = 4;

/** Watches the calls of one bulk operation, and throws if a promise of the guide is broken. */
class Watcher {
  inFlight = 0;
  taken = 0;
  yielded = 0;
  isClosed = false;
  isAborted = false;
  /** Items whose calls have ended and whose results have not come, in order of their ends. */
  readonly ended: { readonly index: number; readonly failed: boolean }[] = [];
  /** The failed item that comes first: by index, or by its end if results come as they end. */
  firstFailure = Number.POSITIVE_INFINITY;
  /** A broken promise that no result shows. */
  mistake = '';
  /** The same, once the bulk must have noticed. */
  #knownFailure = Number.POSITIVE_INFINITY;
  readonly #scenario: BulkScenario;
  readonly #random: () => number;
  readonly #runningKeys = new Map<number, number>();

  constructor(scenario: BulkScenario) {
    this.#scenario = scenario;
    this.#random = seededRandom(scenario.seed);
  }

  keyOf(index: number): number {
    return (index * 7) % this.#scenario.keys;
  }

  async *source(): AsyncGenerator<number> {
    try {
      for (; this.taken < this.#scenario.items; ) {
        await this.wait();
        const { concurrency, keys, ordered } = this.#scenario;
        const waiting = this.taken - this.yielded;
        // In any order, items that wait behind their key hold up no other.
        const isBound = ordered || keys === 0;
        if (isBound && waiting > concurrency * (waitingRounds + 1)) throw new Error('took too far ahead');
        yield this.taken++;
      }
    } finally {
      this.isClosed = true;
    }
  }

  async call(item: number, { index, signal }: { index: number; signal: AbortSignal }): Promise<string> {
    const { concurrency, keys, failureRate, ordered, stopOnError } = this.#scenario;
    const key = keys > 0 ? this.keyOf(item) : -1 - item;
    if (index !== item) throw new Error(`item ${item} has the index ${index}`);
    const isLater = ordered ? index > this.#knownFailure : this.#knownFailure < Number.POSITIVE_INFINITY;
    if (stopOnError && isLater) this.mistake = `item ${index} was called after a failed one`;
    if (signal.aborted) throw new Error('called after the end');
    if (this.#runningKeys.has(key)) throw new Error(`two calls of key ${key} at once`);
    this.#runningKeys.set(key, index);
    this.inFlight += 1;
    if (this.inFlight > concurrency) throw new Error(`${this.inFlight} calls in flight`);
    let failed = false;
    try {
      await this.wait();
      failed = this.#random() < failureRate;
      if (failed) {
        if (ordered || this.firstFailure === Number.POSITIVE_INFINITY)
          this.firstFailure = Math.min(this.firstFailure, index);
        setImmediate(() => {
          this.#knownFailure = this.firstFailure;
        });
        throw new RangeError('failed');
      }
      return `did ${item}`;
    } finally {
      this.inFlight -= 1;
      this.ended.push({ index, failed });
      this.#runningKeys.delete(key);
    }
  }

  /** Takes a result. */
  check(result: BulkResult<number, string>): void {
    // A call that fails once it is cancelled has no result.
    while (this.isAborted && this.ended[0]?.failed && this.ended[0].index !== result.index)
      this.ended.shift();
    const expected = this.#scenario.ordered ? this.yielded : this.ended.shift()?.index;
    if (result.index !== expected) throw new Error(`result ${result.index} is out of order`);
    if (!result.ok && !(result.error instanceof RangeError)) throw result.error;
    this.yielded += 1;
  }

  /** Lets other work run for up to `maxTurns` turns. */
  async wait(maxTurns = 12): Promise<void> {
    for (let turns = Math.floor(this.#random() * maxTurns); turns > 0; turns--)
      await (turns % 4 === 3 ? new Promise(resolve => setImmediate(resolve)) : undefined);
  }
}

/** Runs a bulk operation. Throws if order, keys, limits, `stopOnError` or cancellation break a promise. */
export async function checkBulk(scenario: BulkScenario): Promise<void> {
  const { items, concurrency, keys, ordered, stopOnError, leaveAfter, leaveBy, loopTurns } = scenario;
  const watcher = new Watcher(scenario);
  const controller = new AbortController();
  const key = keys > 0 ? (item: number) => watcher.keyOf(item) : undefined;
  const options = { concurrency, key, ordered, stopOnError, signal: controller.signal };
  const call: Parameters<typeof bulk<number, string>>[1] = (item, context) => watcher.call(item, context);
  let last: BulkResult<number, string> | undefined;
  let hasLeft = false;
  try {
    for await (const result of bulk(watcher.source(), call, options)) {
      if (last?.ok === false && stopOnError) throw new Error('a result follows the failed one');
      watcher.check(result);
      last = result;
      hasLeft = leaveBy !== 'nothing' && watcher.yielded > leaveAfter;
      if (hasLeft && leaveBy === 'break') break;
      if (hasLeft) {
        watcher.isAborted = true;
        controller.abort('left');
      }
      await watcher.wait(loopTurns);
    }
  } catch (error) {
    if (error !== 'left') throw error;
  }
  if (watcher.mistake) throw new Error(watcher.mistake);
  const failed = stopOnError && last?.ok === false;
  const isWhole = !hasLeft && !failed;
  if (isWhole && watcher.yielded !== items) throw new Error(`${watcher.yielded} of ${items} results came`);
  if (!hasLeft && failed && last?.index !== watcher.firstFailure)
    throw new Error('did not end with the first failed item');
  // A busy source is closed once it has yielded its item.
  for (let turns = 0; turns < 10 && !watcher.isClosed; turns++)
    await new Promise(resolve => setImmediate(resolve));
  if (watcher.taken > 0 && !watcher.isClosed) throw new Error('the source was left open');
}
