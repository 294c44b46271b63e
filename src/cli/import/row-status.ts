/** Status of a row. `pending` rows have not been sent, `sending` rows were being sent when the process ended. */
export const rowStatuses = [
  'pending',
  'sending',
  'sent',
  'created',
  'updated',
  'rejected',
  /** The service may have acted, and sending the row again changes nothing. */
  'unknown-idempotent',
  /** The service may have acted, and sending the row again could act twice. */
  'unknown',
] as const;

/** Status of a row. */
export type RowStatus = (typeof rowStatuses)[number];

/** The status of each row, one byte a row, and the reasons of those that have one. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  readonly #reasons = new Map<number, string>();

  /** @param rows Number of rows. */
  constructor(rows: number) {
    this.#codes = new Uint8Array(rows);
  }

  get(index: number): RowStatus {
    return rowStatuses[this.#codes[index] ?? 0] ?? 'pending';
  }

  set(index: number, status: RowStatus, reason?: string): void {
    this.#codes[index] = rowStatuses.indexOf(status);
    if (reason === undefined) this.#reasons.delete(index);
    else this.#reasons.set(index, reason);
  }

  reason(index: number): string | undefined {
    return this.#reasons.get(index);
  }

  /** Returns how many rows have one of these statuses. */
  count(...statuses: readonly RowStatus[]): number {
    const codes = statuses.map(status => rowStatuses.indexOf(status));
    return this.#codes.reduce((sum, code) => sum + (codes.includes(code) ? 1 : 0), 0);
  }
}
