const rowStatuses = [
  /** To be sent. */
  'pending',
  'sent',
  /** An earlier run sent the same content. */
  'sent-before',
  'rejected',
  /** By the user's rule, the person may not be mailed. */
  'left-out',
  /** The same, of somebody whom an earlier run sent: only the service itself can unsubscribe the person. */
  'left-since',
] as const;

export type RowStatus = (typeof rowStatuses)[number];

/** Status of each row, in one byte, and the reasons of some. A row that was not set is pending. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  readonly #reasons = new Map<number, string>();
  /** Reasons without what a person wrote, for logs. */
  readonly #logged = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  constructor(rows: number) {
    this.#codes = new Uint8Array(rows);
  }

  get rows(): number {
    return this.#codes.length;
  }

  get(index: number): RowStatus {
    return rowStatuses[this.#codes[index] ?? 0] ?? 'pending';
  }

  set(index: number, status: RowStatus, reason = '', logged = reason): void {
    this.#codes[index] = rowStatuses.indexOf(status);
    if (logged !== reason) this.#logged.set(reason, logged);
    // One string for all rows with the same text takes less memory.
    const shared = this.#texts.get(reason) ?? reason;
    this.#texts.set(shared, shared);
    if (reason === '') this.#reasons.delete(index);
    else this.#reasons.set(index, shared);
  }

  reason(index: number): string | undefined {
    return this.#reasons.get(index);
  }

  count(...statuses: readonly RowStatus[]): number {
    const isWanted = rowStatuses.map(status => statuses.includes(status));
    return this.#codes.reduce((sum, code) => sum + (isWanted[code] ? 1 : 0), 0);
  }

  /** Returns the reasons of rows with a status, with their number of rows, the most frequent first. */
  reasonCounts(status: RowStatus, isLogged = false): { reason: string; rows: number }[] {
    const counts = new Map<string, number>();
    for (const [index, full] of this.#reasons) {
      if (this.get(index) !== status) continue;
      const reason = (isLogged && this.#logged.get(full)) || full;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return [...counts]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((one, other) => other.rows - one.rows);
  }
}
