import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { FailedAttempt } from '../../../../src/http/response/failure.ts';
import { sendByFetch } from '../../../../src/http/transport/fetch-transport.ts';
import { DispatchHandler } from '../../../../src/http/transport/node/dispatch-handler.ts';
import { BodyBuffer } from '../../../../src/http/transport/transport.ts';
import { attemptOf } from './attempt.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of the heap and of buffers outside of it that are in use. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const chunkCount = 200_000;

/** Far less than objects for so many chunks take: each takes about 150 bytes. */
const maxGrowth = 5_000_000;

const oneByte = (index: number) => Uint8Array.of(index % 2 === 0 ? 0x5b : 0x5d);

test('the transport for Node keeps no object per chunk of a body', async () => {
  const attempt = attemptOf({ maxBytes: 10_000_000 });
  const handler = new DispatchHandler(attempt, new AbortController().signal);
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
  const send = sendByFetch(async () => response);
  const request = new Request('https://api.example.com');
  const { text } = await send(request, attemptOf({ maxBytes: 10_000_000 }));
  expect(text).toBe('[]'.repeat(chunkCount / 2));
  expect(growth).toBeLessThan(maxGrowth);
});

const textOf = (body: BodyBuffer) => new TextDecoder().decode(body.bytes());

test('a body buffer returns what was added, up to its limit', () => {
  const body = new BodyBuffer(5);
  expect(textOf(body)).toBe('');
  body.add(Uint8Array.of(0x31, 0x32), 200);
  body.add(Uint8Array.of(0x33, 0x34, 0x35), 200);
  expect(() => body.add(Uint8Array.of(0x36), 200)).toThrow(FailedAttempt);
  expect(textOf(body)).toBe('12345');
});

test('a body buffer changes no chunk', () => {
  const body = new BodyBuffer(5);
  const chunks = [
    Uint8Array.of(),
    Uint8Array.of(0x31),
    Uint8Array.of(0x32),
    Uint8Array.of(),
    Uint8Array.of(0x33),
  ];
  for (const chunk of chunks) body.add(chunk, 200);
  expect(textOf(body)).toBe('123');
  expect(chunks.map(chunk => [...chunk])).toEqual([[], [0x31], [0x32], [], [0x33]]);
});
