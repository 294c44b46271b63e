import { type FileHandle, open, stat } from 'node:fs/promises';
import { UsageError } from '../usage-error.ts';

/** A file that is written from its start to its end, and that a later run resumes at a known place. */
export interface PartFile {
  /** Bytes written so far. */
  readonly bytes: number;
  append(text: string): Promise<void>;
  /** Waits until all of it is on the disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens an unfinished file, and cuts off what a crash left behind its first `bytes`. */
export async function openPart(path: string, bytes: number): Promise<PartFile> {
  const length = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (length < bytes)
    throw new UsageError(`${path} is shorter than its checkpoint; delete the checkpoint to start again`);
  const handle: FileHandle = await open(path, bytes > 0 ? 'r+' : 'w');
  await handle.truncate(bytes);
  let written = bytes;
  return {
    get bytes() {
      return written;
    },
    async append(text) {
      const buffer = Buffer.from(text);
      for (let done = 0; done < buffer.length; ) {
        const { bytesWritten } = await handle.write(buffer, done, buffer.length - done, written);
        done += bytesWritten;
        written += bytesWritten;
      }
    },
    flush: () => handle.datasync(),
    close: () => handle.close(),
  };
}
