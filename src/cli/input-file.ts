import { type BigIntStats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { UsageError } from './command-line.ts';

/** What the bytes of a file say. */
export interface Facts {
  /** Encoding by the byte order mark, as `TextDecoder` takes it. */
  readonly mark: string | undefined;
  readonly isUtf8: boolean;
  /** The bytes at its start. */
  readonly head: Buffer;
}

/** Bytes that are read at once: larger buffers stay in memory long after they were read. */
const chunkBytes = 65_536;

/** Returns a string that changes when a file is replaced or written to. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join();

/** A file that is read several times, and must not change meanwhile. */
export class InputFile {
  /** Path of the file, as the user wrote it. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Called with the number of bytes of each read. */
  onRead: (bytes: number) => void = () => {};
  readonly #handle: FileHandle;
  readonly #identity: string;

  private constructor(path: string, handle: FileHandle, stats: BigIntStats) {
    this.name = path;
    this.size = Number(stats.size);
    this.#handle = handle;
    this.#identity = identityOf(stats);
  }

  static async open(path: string): Promise<InputFile> {
    if (!(await stat(path)).isFile()) throw new UsageError(`${path} is not a file`, 'file');
    const handle = await open(path);
    return new InputFile(path, handle, await handle.stat({ bigint: true }));
  }

  get hasChanged(): boolean {
    const stats = statSync(this.name, { bigint: true, throwIfNoEntry: false });
    return stats === undefined || identityOf(stats) !== this.#identity;
  }

  /** @throws UsageError if the file was written to, replaced or removed since it was opened. */
  requireUnchanged(): void {
    if (this.hasChanged) throw new UsageError(`${this.name} changed after it was read`, 'file');
  }

  async *chunks(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    for (let position = 0; ; ) {
      signal?.throwIfAborted();
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await this.#handle.read(buffer, 0, chunkBytes, position);
      this.requireUnchanged();
      if (bytesRead === 0) return;
      position += bytesRead;
      this.onRead(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Reads all bytes. An error ends with `next`: what to do with the file after converting it. */
  async inspect(signal: AbortSignal, next = 'import that file'): Promise<Facts> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let head: Buffer = Buffer.alloc(0);
    let isUtf8 = true;
    const check = (chunk?: Buffer) => {
      try {
        if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined });
      } catch {
        isUtf8 = false;
      }
    };
    for await (const chunk of this.chunks(signal)) {
      check(chunk);
      if (head.length === 0) head = chunk;
    }
    check();
    this.#requireText(head, next);
    // UTF-16 without a mark can be valid UTF-8, with zeros.
    isUtf8 &&= !head.subarray(0, 2).includes(0);
    return { mark: encodingOfMark(head), isUtf8, head };
  }

  #requireText(head: Buffer, next: string): void {
    if (['PK\x03\x04', '\xd0\xcf\x11\xe0'].includes(head.toString('latin1', 0, 4)))
      throw new UsageError(`${this.name} is a workbook: save it as "CSV UTF-8", and ${next}`, 'file');
    if (/\.(?:jsonl?|ndjson)$/i.test(this.name))
      throw new UsageError(`${this.name}: import reads CSV files only; write it as CSV, and ${next}`, 'file');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}

function encodingOfMark(head: Buffer): string | undefined {
  const start = head.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}
