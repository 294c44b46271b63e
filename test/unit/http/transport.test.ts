import { expect, test } from 'vitest';
import { InvalidResponseError } from '../../../src/errors.ts';
import { BodyBuffer, sendBy } from '../../../src/http/fetch.ts';
import { DispatchHandler } from '../../../src/http/node-transport.ts';
import { memoryInUse } from '../../support/memory.ts';
import { begunCall } from './begun-call.ts';

const chunkCount = 200_000;

/** Much less than one object per chunk, of about 150 bytes each. */
const maxGrowth = 5_000_000;

const oneByte = (index: number) => Uint8Array.of(index % 2 === 0 ? 0x5b : 0x5d);

test('the transport for Node keeps no object per chunk of a body', async () => {
  const handler = new DispatchHandler(begunCall({}, { maxResponseBytes: 10_000_000 }), false);
  handler.onHeaders(200, []);
  const before = memoryInUse();
  for (let index = 0; index < chunkCount; index++) handler.onData(oneByte(index));
  expect(memoryInUse() - before).toBeLessThan(maxGrowth);
  handler.onComplete();
  expect((await handler.response).text).toBe('[]'.repeat(chunkCount / 2));
});

test('the transport over `fetch` keeps no object per chunk of a body', async () => {
  let growth = Number.NaN;
  async function* chunks() {
    const before = memoryInUse();
    for (let index = 0; index < chunkCount; index++) yield oneByte(index);
    growth = memoryInUse() - before;
  }
  const response = { status: 200, headers: new Headers(), body: chunks(), text: async () => '' };
  const send = sendBy(async () => response);
  const request = new Request('https://api.example.com');
  const { text } = await send(request, undefined, begunCall({}, { maxResponseBytes: 10_000_000 }));
  expect(text).toBe('[]'.repeat(chunkCount / 2));
  expect(growth).toBeLessThan(maxGrowth);
});

test('a body buffer returns what was added up to its limit, and leaves the chunks unchanged', () => {
  const body = new BodyBuffer(begunCall({}, { maxResponseBytes: 5 }));
  const chunks = ['', '1', '2', '', '345'].map(text => Buffer.from(text));
  for (const chunk of chunks) body.add(chunk, 200);
  expect(() => body.add(Buffer.from('6'), 200)).toThrow(InvalidResponseError);
  expect(new TextDecoder().decode(body.bytes())).toBe('12345');
  expect(chunks.map(String)).toEqual(['', '1', '2', '', '345']);
});
