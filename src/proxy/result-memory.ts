/** Results of a server's last calls, by call id. */
export interface DedupeStore {
  /** Returns the value of an id; nothing where there is none. */
  get(id: string): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Stores the value of an id for `ttl` milliseconds. With `ifAbsent`, it stores nothing and returns `false` or `null`
   * where the id has a value, in one atomic step: in Redis, `SET id value PX ttl NX`.
   */
  set(id: string, value: string, options: { readonly ttl: number; readonly ifAbsent: boolean }): unknown;
}

interface Entry {
  readonly value: string;
  readonly expires: number;
}

/** Store of one process: forgets the oldest value first, by time, number and size. */
export class ResultMemory implements DedupeStore {
  /** In the order of their expiry, as all live equally long. */
  readonly #entries = new Map<string, Entry>();
  #length = 0;

  readonly #maxEntries: number;
  readonly #maxLength: number;

  constructor(maxEntries: number, maxLength: number) {
    this.#maxEntries = maxEntries;
    this.#maxLength = maxLength;
  }

  get(id: string): string | undefined {
    this.#forgetExpired();
    return this.#entries.get(id)?.value;
  }

  set(id: string, value: string, { ttl, ifAbsent }: { ttl: number; ifAbsent: boolean }): boolean {
    this.#forgetExpired();
    if (ifAbsent && this.#entries.has(id)) return false;
    this.#forget(id);
    this.#entries.set(id, { value, expires: Date.now() + ttl });
    this.#length += value.length;
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#length <= this.#maxLength) break;
      this.#forget(oldest);
    }
    return true;
  }

  #forgetExpired(): void {
    const now = Date.now();
    for (const [id, { expires }] of this.#entries) {
      if (expires > now) break;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#length -= this.#entries.get(id)?.value.length ?? 0;
    this.#entries.delete(id);
  }
}
