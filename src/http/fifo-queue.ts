/** A value's place in a {@link FifoQueue}. */
interface Link<T> {
  readonly value: T;
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
  queued: boolean;
}

/** A queue, first in, first out, in which every operation takes constant time, removing from the middle too. */
export class FifoQueue<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  /** Number of values in the queue. */
  get size(): number {
    return this.#size;
  }

  /** Adds a value at the end. Returns a function that removes it from wherever it is by then. */
  push(value: T): () => void {
    const link: Link<T> = { value, previous: this.#last, next: undefined, queued: true };
    if (this.#last) this.#last.next = link;
    else this.#first = link;
    this.#last = link;
    this.#size += 1;
    return () => this.#remove(link);
  }

  /** Removes and returns the value that was added first; `undefined` if the queue is empty. */
  shift(): T | undefined {
    const link = this.#first;
    if (link) this.#remove(link);
    return link?.value;
  }

  #remove(link: Link<T>): void {
    if (!link.queued) return;
    if (link.previous) link.previous.next = link.next;
    else this.#first = link.next;
    if (link.next) link.next.previous = link.previous;
    else this.#last = link.previous;
    link.queued = false;
    this.#size -= 1;
  }
}
