import { expect, test } from 'vitest';
import { quietly } from '../../../../src/http/call/telemetry.ts';

test('drops what an observer throws, rejects with or returns', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  let calls = 0;
  const observers = [
    () => {
      throw new Error('thrown');
    },
    async () => {
      throw new Error('rejected');
    },
    // biome-ignore lint/suspicious/noThenProperty: an observer may return anything
    () => ({ then: (_: unknown, reject: (error: Error) => void) => reject(new Error('thenable')) }),
    () => 'a value',
    () => null,
  ];
  for (const observer of observers)
    quietly(() => {
      calls += 1;
      return observer();
    });
  await new Promise(resolve => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(calls).toBe(observers.length);
  expect(unhandled).toEqual([]);
});
