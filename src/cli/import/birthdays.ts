import { counted, UsageError } from '../command-line.ts';

/** Formats that are detected. With dots, the day always comes first. */
const knownFormats = 'YYYY/MM/DD YYYY.MM.DD DD.MM.YYYY DD/MM/YYYY MM/DD/YYYY DD-MM-YYYY MM-DD-YYYY'.split(
  ' ',
);

/** Converts a date to `YYYY-MM-DD`; returns `undefined` if it is invalid or has another format. */
type DateReader = (text: string) => string | undefined;

export function requireDateFormat(format: string): string {
  const parts = ['YYYY', 'MM', 'DD'];
  const separators = parts.reduce((rest, part) => rest.replace(part, ''), format);
  if (parts.every(part => format.includes(part)) && /^[./ -]*$/.test(separators)) return format;
  throw new UsageError(
    `--date-format takes YYYY, MM and DD in any order, such as DD.MM.YYYY (got ${JSON.stringify(format)})`,
  );
}

function readerOf(format: string): DateReader {
  // Between separators, the leading zero may be absent.
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

const readIso = readerOf('YYYY-MM-DD');

/** Time of day, as databases and spreadsheets add it to dates. */
const midnight = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;

/** Returns a function that reads dates in a format, or as `YYYY-MM-DD`. */
export function dateConverter(format: string | undefined): DateReader {
  const read = format === undefined ? readIso : readerOf(format);
  return text => {
    const date = text.replace(midnight, '');
    return readIso(date) ?? read(date);
  };
}

const convertIso = dateConverter(undefined);

/** Detects the date format of a column, and finds the rows with invalid dates. */
export class BirthdayFormats {
  readonly #column: string;
  readonly #wanted: string | undefined;
  readonly #formats: readonly { readonly format: string; readonly read: DateReader }[];
  /** Formats of each date that is not `YYYY-MM-DD`, by the index of its row: one bit for each format. */
  readonly #found: number[] = [];
  #example = '';
  #unreadableExample = '';

  constructor(column: string, wanted?: string) {
    this.#column = column;
    this.#wanted = wanted;
    const formats = wanted === undefined ? knownFormats : [wanted];
    this.#formats = formats.map(format => ({ format, read: dateConverter(format) }));
  }

  /** Number of dates that are valid in no format. */
  get unreadable(): number {
    return this.#found.filter(bits => bits === 0).length;
  }

  add(index: number, text: string): void {
    if (text === '' || convertIso(text) !== undefined) return;
    const bits = this.#formats.reduce(
      (found, { read }, bit) => (read(text) === undefined ? found : found | (1 << bit)),
      0,
    );
    this.#found[index] = bits;
    if (bits === 0) this.#unreadableExample ||= text;
    else this.#example ||= text;
  }

  /** Returns the indexes of the rows whose dates are invalid in the format of the column. */
  badRows(): number[] {
    const format = this.guess();
    const bit = 1 << this.#formats.findIndex(known => known.format === format);
    return this.#found.flatMap((bits, index) => (format === undefined || (bits & bit) === 0 ? index : []));
  }

  /**
   * Returns the wanted format, or the only one in which all readable dates are valid; `undefined` if all are `YYYY-MM-DD`.
   * @throws UsageError if they are valid in several formats, or in none.
   */
  guess(): string | undefined {
    const readable = this.#found.filter(bits => bits !== 0);
    if (this.#wanted !== undefined || readable.length === 0) return this.#wanted;
    const common = readable.reduce((all, bits) => all & bits);
    const formats = this.#formats.flatMap(({ format }, bit) => (common & (1 << bit) ? format : []));
    const [only, other] = formats;
    if (only !== undefined && other === undefined) return only;
    const what =
      only === undefined
        ? 'contains dates in different formats'
        : `can be read as ${formats.join(' or ')}, such as "${this.#example}"`;
    throw new UsageError(
      `column "${this.#column}" ${what}: name the right one with --date-format`,
      'confirmation',
    );
  }

  warning(skipped: boolean): string | undefined {
    if (this.unreadable === 0) return undefined;
    const rows = counted(this.unreadable, 'row');
    return (
      `"${this.#unreadableExample}" in column "${this.#column}" is not a date ` +
      `${this.#wanted === undefined ? 'with day, month and year of four digits' : `as ${this.#wanted}`}: ` +
      (skipped
        ? `${rows} will be sent without it`
        : `${rows} will be rejected; --bad-birthdays skip sends them without it`)
    );
  }
}
