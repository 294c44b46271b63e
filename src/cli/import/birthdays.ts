import { counted, UsageError } from '../command-line.ts';

/** Formats that are guessed. With dots the day comes first everywhere. */
const knownFormats = [
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
] as const;

/** Turns a date of one format into `YYYY-MM-DD`; `undefined` if it is not one. */
type DateReader = (text: string) => string | undefined;

/** Returns the format that `--date-format` names. */
export function requireDateFormat(format: string): string {
  if (/^(?=.*YYYY)(?=.*MM)(?=.*DD)[YMD./ -]{8,}$/.test(format) && format.replace(/[^YMD]/g, '').length === 8)
    return format;
  throw new UsageError(
    `--date-format takes YYYY, MM and DD with characters between them, such as DD.MM.YYYY (got ${JSON.stringify(format)})`,
  );
}

function readerOf(format: string): DateReader {
  // Between other characters the zero of 03.04. may be absent.
  const digits = /^[YMD]+$/.test(format) ? '\\d{2}' : '\\d{1,2}';
  const pattern = format
    .replace(/[./]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', `(?<month>${digits})`)
    .replace('DD', `(?<day>${digits})`);
  const regexp = new RegExp(`^${pattern}$`);
  return text => {
    const { year = '', month = '', day = '' } = regexp.exec(text)?.groups ?? {};
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const time = new Date(`${date}T00:00:00Z`);
    return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date) ? date : undefined;
  };
}

/** Reads `YYYY-MM-DD`, which needs no other format. */
const readIso = readerOf('YYYY-MM-DD');

/** Time of day that databases and spreadsheets add to a date. */
const midnight = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;

/** Returns a function that turns a date into `YYYY-MM-DD`, or into `undefined` if it cannot be read. */
export function dateConverter(format: string | undefined): DateReader {
  const read = format === undefined ? readIso : readerOf(format);
  return text => {
    const date = text.replace(midnight, '');
    return readIso(date) ?? read(date);
  };
}

const convertIso = dateConverter(undefined);

/** Finds the format of a column of birthdays, and counts those that cannot be read. */
export class BirthdayFormats {
  readonly #column: string;
  readonly #wanted: string | undefined;
  readonly #formats: { readonly format: string; readonly read: DateReader; count: number }[];
  /** Dates that are not `YYYY-MM-DD`, and that one of the formats reads. */
  #readable = 0;
  #unreadable = 0;
  #example = '';
  #unreadableExample = '';

  /**
   * @param column Name of the column.
   * @param wanted Format of the dates, if it is known.
   */
  constructor(column: string, wanted?: string) {
    this.#column = column;
    this.#wanted = wanted;
    const formats = wanted === undefined ? knownFormats : [wanted];
    this.#formats = formats.map(format => ({ format, read: dateConverter(format), count: 0 }));
  }

  /** Rows whose birthday cannot be read. */
  get unreadable(): number {
    return this.#unreadable;
  }

  add(text: string): void {
    if (text === '' || convertIso(text) !== undefined) return;
    const matching = this.#formats.filter(({ read }) => read(text) !== undefined);
    for (const known of matching) known.count += 1;
    if (matching.length === 0) {
      this.#unreadable += 1;
      this.#unreadableExample ||= text;
    } else {
      this.#readable += 1;
      this.#example ||= text;
    }
  }

  /**
   * Returns the format that was given, or the only one in which every date can be read; `undefined` if the dates need none.
   * @throws UsageError if there are several such formats, or if the dates have different ones.
   */
  guess(): string | undefined {
    if (this.#wanted !== undefined || this.#readable === 0) return this.#wanted;
    const formats = this.#formats.filter(({ count }) => count === this.#readable).map(({ format }) => format);
    const [only, other] = formats;
    if (only !== undefined && other === undefined) return only;
    const what =
      only === undefined
        ? 'has dates of several formats'
        : `can be read as ${formats.join(' or ')}, such as "${this.#example}"`;
    throw new UsageError(`column "${this.#column}" ${what}: pass --date-format with the right one`);
  }

  /**
   * Returns a warning about the dates that cannot be read.
   * @param skipped The rows are sent without them.
   */
  warning(skipped: boolean): string | undefined {
    if (this.#unreadable === 0) return undefined;
    const rows = counted(this.#unreadable, 'row');
    return (
      `"${this.#unreadableExample}" in column "${this.#column}" is not a date ` +
      `${this.#wanted === undefined ? 'with day, month and year of four digits' : `as ${this.#wanted}`}: ` +
      (skipped
        ? `${rows} will be sent without it`
        : `${rows} will be rejected; --bad-birthdays skip sends them without it`)
    );
  }
}
