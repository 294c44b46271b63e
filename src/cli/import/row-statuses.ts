/** `pending` rows have not been sent; `sending` rows were being sent when the process ended. */
export const rowStatuses = [
  'pending',
  'sending',
  'sent',
  'created',
  'updated',
  'rejected',
  /** The person opted out: the row is not sent. */
  'opted-out',
  /** The service may have acted, and sending the row again does no harm. */
  'unknown-idempotent',
  /** The service may have acted, and sending the row again could act twice. */
  'unknown',
] as const;

export type RowStatus = (typeof rowStatuses)[number];

const minRows = 1024;

/** Status of each row, in one byte, and the reasons of some. A row that was not set is pending. */
export class RowStatuses {
  #codes: Uint8Array;
  #rows: number;
  readonly #reasons = new Map<number, string>();
  /** One string for each reason, shared by its rows. */
  readonly #texts = new Map<string, string>();

  constructor(rows = 0) {
    this.#codes = new Uint8Array(rows);
    this.#rows = rows;
  }

  get rows(): number {
    return this.#rows;
  }

  /** One byte for each row, from which its status follows. */
  get codes(): Uint8Array {
    return this.#codes.subarray(0, this.#rows);
  }

  copy(): RowStatuses {
    const copy = new RowStatuses();
    copy.#codes = this.codes.slice();
    copy.#rows = this.#rows;
    for (const [index, reason] of this.#reasons) copy.#reasons.set(index, reason);
    return copy;
  }

  /** Returns these statuses, except for rows that have a result. */
  with(results: RowStatuses): RowStatuses {
    const all = this.copy();
    for (let index = 0; index < results.rows; index += 1)
      if (results.get(index) !== 'pending') all.set(index, results.get(index), results.reason(index));
    return all;
  }

  /** Adds a row. */
  add(status: RowStatus, reason?: string): void {
    if (this.#rows === this.#codes.length) {
      const codes = new Uint8Array(Math.max(minRows, 2 * this.#rows));
      codes.set(this.#codes);
      this.#codes = codes;
    }
    this.set(this.#rows++, status, reason);
  }

  get(index: number): RowStatus {
    return rowStatuses[this.#codes[index] ?? 0] ?? 'pending';
  }

  set(index: number, status: RowStatus, reason = ''): void {
    this.#codes[index] = rowStatuses.indexOf(status);
    if (reason === '') {
      this.#reasons.delete(index);
      return;
    }
    const text = this.#texts.get(reason) ?? reason;
    this.#texts.set(text, text);
    this.#reasons.set(index, text);
  }

  reason(index: number): string | undefined {
    return this.#reasons.get(index);
  }

  indexes(status: RowStatus): number[] {
    const code = rowStatuses.indexOf(status);
    const found: number[] = [];
    for (let at = this.codes.indexOf(code); at >= 0; at = this.codes.indexOf(code, at + 1)) found.push(at);
    return found;
  }

  /** Returns the rows with a status, as a journal holds them. */
  entries(status: RowStatus): Entry[] {
    return this.indexes(status).map(index => [index, status, this.reason(index)]);
  }

  /** Returns the reasons of a status with their number of rows, the most frequent first. */
  reasonCounts(status: RowStatus): [reason: string, rows: number][] {
    const counts = new Map<string, number>();
    for (const [index, reason] of this.#reasons)
      if (this.get(index) === status) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one);
  }

  count(...statuses: readonly RowStatus[]): number {
    const isWanted = rowStatuses.map(status => statuses.includes(status));
    return this.codes.reduce((sum, code) => sum + (isWanted[code] ? 1 : 0), 0);
  }
}

/** Line of a row: index, status, reason or an empty text, and the mark of a row that was sent. */
export type Entry = [
  index: number,
  status: RowStatus,
  reason?: string | undefined,
  mark?: string | undefined,
];

/** Reason of a row that was being sent when the process ended. */
export const interrupted = 'the import ended while this row was being sent';
