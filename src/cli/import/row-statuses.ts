const rowStatuses = [
  /** Left to send. */
  'pending',
  /** Was being sent when the process ended. */
  'sending',
  'sent',
  'rejected',
  /** By the user's rule, the person may not be mailed. */
  'not-mailed',
  /** The same, of somebody whom an earlier import sent: only the service itself can unsubscribe the person. */
  'left-since',
  /** The service may have acted, and sending the row again could act twice. */
  'unknown',
  /** An earlier import sent a row of this person. */
  'sent-before',
] as const;

export type RowStatus = (typeof rowStatuses)[number];

export const isRowStatus = (status: unknown): status is RowStatus =>
  rowStatuses.some(known => known === status);

/** Status of each row, in one byte, and the reasons of some. A row that was not set is pending. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  readonly #reasons = new Map<number, string>();
  readonly #texts = new Map<string, string>();

  constructor(rows = 0) {
    this.#codes = new Uint8Array(rows);
  }

  get rows(): number {
    return this.#codes.length;
  }

  get(index: number): RowStatus {
    return rowStatuses[this.#codes[index] ?? 0] ?? 'pending';
  }

  set(index: number, status: RowStatus, reason = ''): void {
    this.#codes[index] = rowStatuses.indexOf(status);
    if (reason === '') this.#reasons.delete(index);
    else this.#reasons.set(index, this.shared(reason));
  }

  /** Returns one string for all rows with the same text. */
  shared(text: string): string {
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(known, known);
    return known;
  }

  reason(index: number): string | undefined {
    return this.#reasons.get(index);
  }

  /** Takes over what became of rows that were sent. Whoever may no longer be mailed is not among the rejected ones. */
  restore(earlier: RowStatuses): void {
    for (const index of this.#codes.keys()) {
      const status = earlier.get(index);
      const isSent = status === 'sent' || status === 'rejected' || status === 'unknown';
      if (isSent && ['pending', 'rejected'].includes(this.get(index)))
        this.set(index, status, earlier.reason(index));
    }
  }

  count(...statuses: readonly RowStatus[]): number {
    const isWanted = rowStatuses.map(status => statuses.includes(status));
    return this.#codes.reduce((sum, code) => sum + (isWanted[code] ? 1 : 0), 0);
  }

  /** Returns the reasons of some statuses with their number of rows, the most frequent first. */
  reasonCounts(...statuses: readonly RowStatus[]): { reason: string; rows: number }[] {
    const counts = new Map<string, number>();
    for (const [index, reason] of this.#reasons)
      if (statuses.includes(this.get(index))) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((one, other) => other.rows - one.rows);
  }
}
