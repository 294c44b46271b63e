/**
 * Position of an iteration over every record: small JSON-safe data, at most 3 kB, with no key in it. Store it as it is,
 * and pass it to `all(filter, { checkpoint })` to resume right after the last record that was yielded.
 */
export interface Checkpoint {
  /** Method and filter that it belongs to; a checkpoint of another source is refused. */
  readonly source: string;
  /** Position after the last yielded record, as it was when its page was loaded. */
  readonly offset: number;
  /** Hashes of the last 200 records yielded, oldest first, by which the position is found again. */
  readonly tail: string;
}
