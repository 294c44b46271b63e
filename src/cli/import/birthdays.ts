/** Time of day, as databases and spreadsheets add it to dates. */
const midnight = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;
/** What has one meaning, whatever the order is: the year first, and with dots the day first. */
const unambiguous = [
  /^(?<year>\d{4})[-./ ](?<month>\d{1,2})[-./ ](?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
];
const orders = {
  unknown: unambiguous,
  'day-first': [...unambiguous, /^(?<day>\d{1,2})[-/ ](?<month>\d{1,2})[-/ ](?<year>\d{4})$/],
  'month-first': [...unambiguous, /^(?<month>\d{1,2})[-/ ](?<day>\d{1,2})[-/ ](?<year>\d{4})$/],
};

/** Returns a date as `YYYY-MM-DD`; `undefined` if it cannot be read. */
export function toDate(cell: string, order: keyof typeof orders = 'unknown'): string | undefined {
  const text = cell.replace(midnight, '');
  for (const pattern of orders[order]) {
    const { year, month = '', day = '' } = pattern.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    // A day that does not exist is none, or in the next month.
    if (new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day)) return date;
  }
  return undefined;
}

/** A date, and perhaps a time after it. */
const dated =
  /^(\d{1,4}([-./ ])\d\d?\2\d{1,4})(?:[t ,]+\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[+-]\d\d:?\d\d))?)?$/i;
const dayMs = 86_400_000;
const centuryMs = 36_525 * dayMs;

/**
 * Returns the time of a cell that is a date of the last hundred years, in any order, in milliseconds since 1970. The first
 * day of 1970 is none: programs write it where they have no date.
 */
export function dateOf(cell: string, now: number): number | undefined {
  const [, date] = dated.exec(cell) ?? [];
  if (date === undefined) return undefined;
  for (const order of ['month-first', 'day-first'] as const) {
    const time = Date.parse(toDate(date, order) ?? '');
    // Somewhere, it is tomorrow already.
    if (time !== 0 && now - time > -dayMs && now - time < centuryMs) return time;
  }
  return undefined;
}

/** Returns whether a birthday can be read only by the order in which its day and month are written. */
export const needsOrder = (cell: string): boolean =>
  toDate(cell) === undefined &&
  (toDate(cell, 'day-first') !== undefined || toDate(cell, 'month-first') !== undefined);
