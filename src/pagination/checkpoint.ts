/**
 * Where a walk over every record stands, in a few hundred bytes: small JSON-safe data with no key in it. Keep it as it
 * is, and pass it to `all(query, { checkpoint })` to go on right after the last record that was handed out.
 */
export interface Checkpoint {
  /** Which call and query it belongs to; a checkpoint of another walk is refused. */
  readonly source: string;
  /** Records up to and including the last one handed out, as they stood when its page was read. */
  readonly offset: number;
  /** Fingerprints of the last 32 records handed out, oldest first, by which the place is found again. */
  readonly tail: string;
}
