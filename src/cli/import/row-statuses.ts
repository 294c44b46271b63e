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

/** Status of each row, and the reasons of some, as small numbers: of a million rows, too. A row that was not set is pending. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  /** Place of the reason of each row among the texts, of which the first is empty. */
  readonly #reasons: Uint32Array;
  readonly #texts = [''];
  readonly #places = new Map([['', 0]]);
  /** Reasons without what a person wrote, for logs. */
  readonly #logged = new Map<string, string>();

  constructor(rows: number) {
    this.#codes = new Uint8Array(rows);
    this.#reasons = new Uint32Array(rows);
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
    const place = this.#places.get(reason) ?? this.#texts.push(reason) - 1;
    this.#places.set(reason, place);
    this.#reasons[index] = place;
  }

  reason(index: number): string | undefined {
    return this.#texts[this.#reasons[index] ?? 0] || undefined;
  }

  count(...statuses: readonly RowStatus[]): number {
    const isWanted = rowStatuses.map(status => statuses.includes(status));
    return this.#codes.reduce((sum, code) => sum + (isWanted[code] ? 1 : 0), 0);
  }

  /** Returns the reasons of rows with a status, with their number of rows, the most frequent first. */
  reasonCounts(status: RowStatus, isLogged = false): { reason: string; rows: number }[] {
    const counts = new Map<string, number>();
    for (const [index, place] of this.#reasons.entries()) {
      const full = this.#texts[place];
      if (!full || this.get(index) !== status) continue;
      const reason = (isLogged && this.#logged.get(full)) || full;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return [...counts]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((one, other) => other.rows - one.rows);
  }
}
