/**
 * Where a walk over every record stands: small JSON-safe data with no key in it. Keep it as it is, and pass it to
 * `all(query, { checkpoint })` to go on right after the last record that was handed out.
 */
export interface Checkpoint {
  /** Records to skip before the next request. */
  readonly offset: number;
}
