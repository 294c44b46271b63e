import type { State } from './collection.ts';
import { type AnyRecord, collectionOf } from './read-fields.ts';
import type { KindName } from './records.ts';
import { createState, type StateContext } from './state.ts';

/** Change of a record, with what undoes it. */
interface Change {
  /** Time in milliseconds since the epoch. */
  readonly time: number;
  readonly kind: KindName;
  readonly id: string;
  /** The record as it was; `undefined` if it was added. */
  readonly before: AnyRecord | undefined;
  /** Place of a record that was deleted. */
  readonly index: number;
}

/** The recent changes of a state, for reads that lag behind. */
export class History {
  readonly #context: StateContext;
  readonly #keepMs: () => number;
  #changes: Change[] = [];

  /** @param keepMs Returns for how many milliseconds a change is kept. */
  constructor(context: StateContext, keepMs: () => number) {
    this.#context = context;
    this.#keepMs = keepMs;
  }

  /** Notes that a record is going to be added, changed or deleted. */
  note(kind: KindName, id: string, before: AnyRecord | undefined, index: number): void {
    const keepMs = this.#keepMs();
    if (keepMs === 0) this.forget();
    if (keepMs === 0) return;
    const time = this.#context.now().getTime();
    const expired = this.#changes.findIndex(change => change.time > time - keepMs);
    this.#changes.splice(0, expired < 0 ? this.#changes.length : expired);
    this.#changes.push({ time, kind, id, before: before && { ...before }, index });
  }

  /** Forgets every change. */
  forget(): void {
    this.#changes = [];
  }

  /** Returns a state as it was some milliseconds ago. */
  past(state: State, ms: number): State {
    const since = this.#context.now().getTime() - ms;
    const records = new Map<KindName, AnyRecord[]>();
    for (const change of this.#changes.toReversed()) {
      if (change.time <= since) break;
      const list = records.get(change.kind) ?? [...collectionOf(state, change.kind)];
      undo(change, list);
      records.set(change.kind, list);
    }
    const past = createState(this.#context);
    for (const [kind, list] of records) collectionOf(past, kind).replace(list);
    const changed = Object.fromEntries([...records.keys()].map(kind => [kind, past[kind]]));
    return { ...state, ...changed };
  }
}

/** Undoes a change in a list of records. */
function undo({ id, before, index }: Change, list: AnyRecord[]): void {
  const at = list.findIndex(record => record.id === id);
  if (before === undefined) list.splice(at, 1);
  else if (at < 0) list.splice(index, 0, before);
  else list[at] = before;
}
