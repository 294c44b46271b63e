/** Difference between this machine's clock and the service's. */
export interface ClockOffset {
  /** Seconds that this machine is ahead; negative when it is behind. */
  readonly seconds: number;
  /** The real offset is at most this many seconds away: a `Date` header has whole seconds, and the response took time. */
  readonly precision: number;
}

const halfSecondMs = 500;

/**
 * Compares a response's `Date` header with the time here.
 * @param sentAt When the request was sent, in milliseconds since the epoch.
 * @param receivedAt When the response had come.
 */
export function clockOffset(
  date: string | null,
  sentAt: number,
  receivedAt: number,
): ClockOffset | undefined {
  const service = Date.parse(date ?? '');
  if (Number.isNaN(service)) return undefined;
  // The header names a second that had begun: its middle is the best guess.
  const ahead = (sentAt + receivedAt) / 2 - (service + halfSecondMs);
  const precision = Math.ceil((halfSecondMs + (receivedAt - sentAt) / 2) / 1000);
  return { seconds: Math.round(ahead / 1000), precision };
}
