import { expect, test } from 'vitest';
import { readBody } from '../../../../src/testing/server/read-body.ts';
import { memoryInUse } from '../../../support/memory.ts';

/** Yields a text of this many bytes, one byte a chunk, and calls a function before it ends. */
async function* oneByOne(bytes: number, atEnd: () => void) {
  for (let sent = 0; sent < bytes; sent++) yield Uint8Array.of(97);
  atEnd();
}

test.each([
  ['within the limit', 300_000, 'a'.repeat(300_000)],
  ['beyond it', 299_999, undefined],
])('a body in chunks of one byte, %s, takes little more memory than its bytes', async (_, limit, text) => {
  const before = memoryInUse();
  let taken = 0;
  const body = oneByOne(300_000, () => {
    taken = memoryInUse() - before;
  });
  expect(await readBody(body, limit)).toBe(text);
  expect(taken).toBeLessThan(2_000_000);
});
