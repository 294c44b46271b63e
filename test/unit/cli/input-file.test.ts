import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  InputFile,
  inspectFile,
  type Row,
  readRows,
  type WantedFormat,
} from '../../../src/cli/input-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'input-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'rows.csv');
const { signal } = new AbortController();

/** Writes a file, and opens it while `use` runs. */
async function withFile<Value>(
  content: string | Uint8Array,
  use: (file: InputFile) => Promise<Value>,
): Promise<Value> {
  writeFileSync(path, content);
  await using file = await InputFile.open(path);
  return await use(file);
}

const read = (content: string | Uint8Array, wanted: WantedFormat = {}): Promise<Omit<Row, 'index'>[]> =>
  withFile(content, async file => {
    const rows: Omit<Row, 'index'>[] = [];
    const format = await inspectFile(file, wanted, signal);
    for await (const { index, ...row } of readRows(file, format)) {
      if (index !== rows.length - 1) throw new Error(`row ${rows.length} has index ${index}`);
      rows.push(row);
    }
    return rows;
  });

const inspect = (content: string | Uint8Array, wanted: WantedFormat = {}) =>
  withFile(content, async file => {
    const { encoding, bom, broken, delimiter, lineEnd } = await inspectFile(file, wanted, signal);
    return { encoding, bom, broken, delimiter, lineEnd };
  });

const cells = (...rows: string[][]) => rows.map(row => ({ cells: row }));
const unreadable = (text: string) => ({ cells: [text], unreadable: expect.any(String) });
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** "Zoë, 5 €" in an encoding, by its bytes. */
const text = 'email,name\nzoe@example.com,"Zoë, 5 €"\n';
const rows = cells(['email', 'name'], ['zoe@example.com', 'Zoë, 5 €']);

describe('the encoding of a file', () => {
  test('is found by the mark of UTF-16 of other systems', async () => {
    const content = bytes([0xfe, 0xff], [...utf16be(text)]);
    expect(await inspect(content)).toMatchObject({ encoding: 'utf-16be', bom: true, broken: false });
    expect(await read(content)).toEqual(rows);
  });

  test('is the one that --encoding names', async () => {
    const unmarked = Buffer.from(text, 'utf16le');
    await expect(inspect(unmarked)).rejects.toThrow(/looks like UTF-16: pass --encoding utf-16le/);
    expect(await read(unmarked, { encoding: 'utf-16le' })).toEqual(rows);
    const content = bytes('email\n', [0xb3], '@example.com\n');
    expect(await read(content, { encoding: 'windows-1250' })).toEqual(cells(['email'], ['ł@example.com']));
  });

  test('cannot be a mix of UTF-8 and another', async () => {
    const mixed = [
      bytes('email\nZoë\nZo', [0xeb], '\n'),
      bytes('email\nZo', [0xeb], '\nZoë\n'),
      bytes('email\n', 'a@example.com\n'.repeat(20_000), 'Zo', [0xeb], '\nZoë\n'),
      bytes([0xef, 0xbb, 0xbf], 'email\nZo', [0xeb], '\n'),
    ];
    for (const content of mixed) await expect(inspect(content)).rejects.toThrow(/mixes UTF-8 with another/);
    expect(await inspect(bytes('email\nZo\u00eb', [0xe2, 0x82]), { encoding: 'utf-8' })).toMatchObject({
      broken: true,
    });
  });

  test('makes a row unreadable that contains other bytes than those of --encoding', async () => {
    const content = bytes('email\nZoë\nZo', [0xeb], '\nlast\n');
    expect(await read(content, { encoding: 'utf-8' })).toEqual([
      ...cells(['email'], ['Zoë']),
      { cells: ['Zo\ufffd'], unreadable: 'has bytes that are not utf-8' },
      ...cells(['last']),
    ]);
  });

  test('may contain the replacement character', async () => {
    expect(await read('email\nZo\ufffd\n')).toEqual(cells(['email'], ['Zo\ufffd']));
  });
});

describe('the delimiter and the line ends of a file', () => {
  test.each([
    [',', 'email,"name; first",tags\n'],
    [';', 'email;"name, first";tags\n'],
    ['\t', 'email\tname, first\ttags\n'],
    ['|', 'email|name|tags\n'],
    [',', 'email\n'],
    [';', '\n\nemail;name\na@example.com;"a,b,c,d"\n'],
  ])('are found: %j in %j', async (delimiter, header) => {
    expect(await inspect(header)).toMatchObject({ delimiter, lineEnd: '\n' });
  });

  test.each(['\n', '\r\n', '\r'])('are found: %j', async lineEnd => {
    const content = ['email,name', 'a@example.com,"A\nB"', 'b@example.com,B', ''].join(lineEnd);
    expect(await inspect(content)).toMatchObject({ lineEnd: lineEnd === '\r' ? '\n' : lineEnd });
    const plain = ['email,name', 'a@example.com,A', 'b@example.com,B', ''].join(lineEnd);
    expect(await inspect(plain)).toMatchObject({ lineEnd });
    expect(await read(plain)).toEqual(
      cells(['email', 'name'], ['a@example.com', 'A'], ['b@example.com', 'B']),
    );
  });

  test('may be mixed', async () => {
    expect(await read('email\r\na\nb\r\nc')).toEqual(cells(['email'], ['a'], ['b'], ['c']));
  });
});

test.each([
  ['utf-8', 'a\n', true],
  ['utf-8', 'a', false],
  ['utf-16le', 'a\n', true],
  ['utf-16le', 'a\r', true],
  ['utf-16le', 'a', false],
  // The last byte is that of a line break.
  ['utf-16le', '\u0a41', false],
  ['utf-16be', 'a\n', true],
  ['utf-16be', '\u410a', false],
])('a file in %s that ends in %j has an end of its last line: %s', async (encoding, text, expected) => {
  const little = Buffer.from(text, 'utf16le');
  const encoded =
    { 'utf-8': Buffer.from(text), 'utf-16le': little, 'utf-16be': utf16be(text) }[encoding] ?? little;
  await withFile(encoded, async file => {
    expect(await inspectFile(file, { encoding }, signal)).toMatchObject({ endsWithLine: expected });
  });
});

test.each(['rows.json', 'rows.jsonl', 'rows.NDJSON'])('a file named %s is refused', async name => {
  writeFileSync(join(folder, name), 'email\n');
  await using file = await InputFile.open(join(folder, name));
  await expect(inspectFile(file, {}, signal)).rejects.toThrow(`${name}: import reads CSV files only`);
});

test('an abort ends the inspection of a file and the reading of its rows', () =>
  withFile(`email\n${'a@example.com\n'.repeat(100_000)}`, async file => {
    const format = await inspectFile(file, {}, signal);
    const controller = new AbortController();
    const readAll = async () => {
      for await (const _ of readRows(file, format, controller.signal)) controller.abort();
    };
    await expect(readAll()).rejects.toThrow(/abort/i);
    await expect(inspectFile(file, {}, controller.signal)).rejects.toThrow(/abort/i);
  }));

const large = `email\n${'a@example.com\n'.repeat(100_000)}`;

/** Replaces the file, or removes it where an open file cannot be replaced. */
function replace(): void {
  writeFileSync(`${path}.new`, large);
  try {
    renameSync(`${path}.new`, path);
  } catch {
    rmSync(path);
  }
}

/** Overwrites the file with the same number of bytes, and restores its times. */
function overwrite(): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, large.replaceAll('a@', 'b@'));
  utimesSync(path, atime, mtime);
}

test.each([
  ['is written to', () => appendFileSync(path, 'x')],
  ['is overwritten', overwrite],
  ['is removed', () => rmSync(path)],
  ['is replaced', replace],
])('a file that %s while it is read is an error, and no changed row is read', (_, change) =>
  withFile(large, async file => {
    const format = await inspectFile(file, {}, signal);
    const cells = new Set<string | undefined>();
    const readAll = async () => {
      for await (const row of readRows(file, format)) {
        if (cells.size === 0) change();
        cells.add(row.cells[0]);
      }
    };
    await expect(readAll()).rejects.toThrow(`${path} changed after it was read`);
    expect([...cells]).toEqual(['email', 'a@example.com']);
    expect(() => file.requireUnchanged()).toThrow('changed after it was read');
  }),
);

describe('readRows', () => {
  test.each([
    ['a quote within a cell', 'x,b"c'],
    ['text after a closing quote', 'x,"b"c'],
    ['a quote that is never closed', 'x,"b'],
  ])('yields a line with %s as unreadable, and every other row', async (_, line) => {
    const found = await read(`email,a\none,1\n\n${line}\n\ntwo,2\n${line}\nthree,3\n`);
    expect(found).toEqual([
      ...cells(['email', 'a'], ['one', '1']),
      unreadable(line),
      ...cells(['two', '2']),
      unreadable(line),
      ...cells(['three', '3']),
    ]);
  });

  test('resumes at the right byte after a byte order mark, multibyte characters and Windows line ends', async () => {
    const found = await read('\ufeffé,a\r\n"😀\r\nline",1\r\nx,b"c\r\nlast,2\r\n');
    expect(found).toEqual([
      ...cells(['é', 'a'], ['😀\r\nline', '1']),
      unreadable('x,b"c'),
      ...cells(['last', '2']),
    ]);
  });

  test('reads rows that continue in the next chunk of the file', async () => {
    const long = 'ë'.repeat(50_000);
    const content = Array.from({ length: 40 }, (_, index) => [
      `${index}@example.com`,
      `"${long}\n""${index}"`,
    ]);
    const found = await read(`email,a\n${content.map(row => row.join(',')).join('\n')}`);
    expect(found.slice(1)).toEqual(
      cells(...content.map(([email = ''], index) => [email, `${long}\n"${index}`])),
    );
  });

  test('stops after too many lines that are not CSV', async () => {
    await expect(read('a,"b" c\n'.repeat(1001))).rejects.toThrow(/more than 1000 lines are not CSV/);
    expect(await read('a,"b" c\n'.repeat(1000))).toHaveLength(1000);
  });

  test('limits the line of a quote that is never closed, and reads the rows after it', async () => {
    const found = await read(`email,a\nx,"open\n${'one,1\n'.repeat(400_000)}`);
    expect(found[1]).toEqual({ cells: ['x,"open'], unreadable: expect.stringContaining('larger than') });
    expect(found).toHaveLength(400_002);
  });

  test('yields a line that is too large as unreadable, and no part of it as a row', async () => {
    const found = await read(`email,a\none,1\n${'x'.repeat(3_000_000)},evil@example.com\ntwo,2\n`);
    expect(found).toEqual([
      ...cells(['email', 'a'], ['one', '1']),
      { cells: ['x'.repeat(1_048_576)], unreadable: expect.stringContaining('larger than') },
      ...cells(['two', '2']),
    ]);
  });
});
