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

const iso = /^\d{4}-\d{2}-\d{2}$/;

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

/** Returns a function that turns a date into `YYYY-MM-DD`; text of another format stays as it is. */
export function dateConverter(format: string | undefined): (text: string) => string {
  const read = format === undefined ? undefined : readerOf(format);
  return text => (iso.test(text) ? text : (read?.(text) ?? text));
}

/** Finds the format of a column of birthdays. */
export class BirthdayFormats {
  readonly #column: string;
  readonly #formats = knownFormats.map(format => ({ format, read: readerOf(format), count: 0 }));
  /** Dates that a known format reads, and others. */
  #readable = 0;
  #unreadable = 0;
  #example = '';
  #unreadableExample = '';

  /** @param column Name of the column. */
  constructor(column: string) {
    this.#column = column;
  }

  add(text: string): void {
    if (text === '' || iso.test(text)) return;
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
   * Returns the only format in which every date can be read; `undefined` if the dates need none.
   * @throws UsageError if there are several such formats, or if the dates have different ones.
   */
  guess(): string | undefined {
    if (this.#readable === 0) return undefined;
    const formats = this.#formats.filter(({ count }) => count === this.#readable).map(({ format }) => format);
    const [only, other] = formats;
    if (only !== undefined && other === undefined) return only;
    const what =
      only === undefined
        ? 'has dates of several formats'
        : `can be read as ${formats.join(' or ')}, such as "${this.#example}"`;
    throw new UsageError(`column "${this.#column}" ${what}: pass --date-format with the right one`);
  }

  /** Returns a warning about the dates that no format reads. */
  warning(): string | undefined {
    if (this.#unreadable === 0) return undefined;
    return (
      `"${this.#unreadableExample}" in column "${this.#column}" is not a date with day, month and year of four digits: ` +
      `${counted(this.#unreadable, 'row')} will be rejected; --map "${this.#column}=" leaves the column out`
    );
  }
}
