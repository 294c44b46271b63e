import { hash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IdentifyParams } from '../../index.ts';
import { UsageError } from '../command-line.ts';

/** First line, without the number of the version. */
const header = 'email-marketing-client import, sent rows, version ';
const version = 1;
const linePattern =
  /^(?:[\w-]{22} [\w-]{22}|file [\da-f]{64}|out [\w-]{22}(?: [\w-]{22} .+)?|back [\w-]{22})$/;

/** Digits of 6 bits: of a million rows, two hardly share one. */
const markDigits = 22;
const markOf = (...texts: readonly string[]): string =>
  hash('sha256', texts.join('\n'), 'base64url').slice(0, markDigits);

/** Returns the column of what {@link Sent.noOf} returned; empty of a file. */
export const columnOfNo = (no: string): string => no.slice(markDigits + 1);

/** Returns a value as JSON, whatever the order of its members is. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

/**
 * What the service acknowledged, by content, and who was left out: a file that is only appended to, with a line for each
 * row. A line that was cut off when a process ended is ignored: its row is sent again, which does no harm.
 */
export class Sent {
  readonly #path: string;
  /** Hosts and team; empty if nothing is sent. */
  readonly #account: string;
  /** Content that each person was sent last, by marks. */
  readonly #last = new Map<string, string>();
  /** What kept people out, by the mark of each person: of a value its mark and its column, of a file nothing. */
  readonly #noes = new Map<string, Set<string>>();
  /** Hashes of the files beside the input, as they were written. */
  readonly #files = new Set<string>();
  #handle: FileHandle | undefined;
  #lines = '';
  #writing: Promise<void> | undefined;
  failure: Error | undefined;

  constructor(path: string, account = '') {
    this.#path = path;
    this.#account = account;
  }

  /** @throws UsageError if another version wrote the file. */
  async read(): Promise<void> {
    if (this.#account === '' || !existsSync(this.#path)) return;
    await using file = await open(this.#path);
    let isFirst = true;
    for await (const line of file.readLines({ autoClose: false })) {
      if (isFirst) this.#requireReadable(line);
      isFirst = false;
      const [first = '', second = '', ...no] = linePattern.test(line) ? line.split(' ') : [];
      if (first === 'file') this.#files.add(second);
      else if (first === 'out') this.#noesOf(second).add(no.join(' '));
      else if (first === 'back') this.#noes.delete(second);
      else if (first !== '') this.#last.set(second, first);
    }
  }

  #requireReadable(first: string): void {
    const found = first.startsWith(header) ? Number(first.slice(header.length)) : undefined;
    if (found === version) return;
    throw new UsageError(
      found !== undefined && found > version
        ? `${this.#path} was written by a newer version of email-marketing-client: use the newer version`
        : `${this.#path} is not a record of sent rows: move it to another folder`,
      'file',
    );
  }

  #noesOf(mark: string): Set<string> {
    const known = this.#noes.get(mark) ?? new Set();
    this.#noes.set(mark, known);
    return known;
  }

  /** Returns what kept a person out in earlier imports. */
  noesOf(person: number): ReadonlySet<string> {
    return (this.#noes.size > 0 && this.#noes.get(this.#personOf(person))) || new Set();
  }

  /** Returns how a value of a column is remembered. */
  noOf(column: string, key: string): string {
    return `${markOf(this.#account, 'value', key)} ${column}`;
  }

  /** Remembers that a person was left out, by a value of a column or by a file. */
  addNo(person: number, no = ''): void {
    const mark = this.#personOf(person);
    const known = this.#noesOf(mark);
    if (!known.has(no)) this.#append(`out ${mark} ${no}`.trimEnd());
    known.add(no);
  }

  /** Remembers that a person came back. */
  removeNoes(person: number): void {
    const mark = this.#noes.size === 0 ? '' : this.#personOf(person);
    if (this.#noes.delete(mark)) this.#append(`back ${mark}`);
  }

  get isEmpty(): boolean {
    return this.#last.size === 0;
  }

  /** Returns the mark of a row's content, and of that of the rows of the person before it. */
  contentOf(params: IdentifyParams, before = ''): string {
    return markOf(this.#account, canonical(params), before);
  }

  #personOf(person: number): string {
    return markOf(this.#account, String(person));
  }

  hasPerson(person: number): boolean {
    return !this.isEmpty && this.#last.has(this.#personOf(person));
  }

  /** Returns whether this was the last content that a person was sent: after another one, it is sent again. */
  isLast(person: number, content: string): boolean {
    return this.#last.get(this.#personOf(person)) === content;
  }

  hasFile(sha256: string): boolean {
    return this.#files.has(sha256);
  }

  async open(): Promise<void> {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const isNew = !existsSync(this.#path);
    this.#handle = await open(this.#path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    // Ends a line that was cut off. If two imports begin at once, the second header is a line without meaning.
    this.#append(isNew ? header + version : '');
  }

  add(person: number, content: string): void {
    this.#append(`${content} ${this.#personOf(person)}`);
  }

  addFile(sha256: string): void {
    this.#append(`file ${sha256}`);
  }

  #append(line: string): void {
    this.#lines += `${line}\n`;
    this.#writing ??= this.#write().catch(error => {
      // Node names no file if the write of an open one fails.
      this.failure = Object.assign(error, { path: this.#path });
    });
  }

  /** Writes whole lines at once: another import may append to the same file. */
  async #write(): Promise<void> {
    while (this.#lines !== '') {
      const text = this.#lines;
      this.#lines = '';
      await this.#handle?.appendFile(text);
    }
    this.#writing = undefined;
  }

  /** Waits until all is written. @throws the failure of a write. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.failure !== undefined) throw this.failure;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle?.close();
    await this.flush();
  }
}
