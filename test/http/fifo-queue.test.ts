import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FifoQueue } from '../../src/http/fifo-queue.ts';

test('behaves like an array, whatever is added and removed in whatever order', () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('push' as const) },
      { weight: 2, arbitrary: fc.constant('shift' as const) },
      { weight: 2, arbitrary: fc.nat(60) },
    ),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(steps, taken => {
      const queue = new FifoQueue<number>();
      let expected: number[] = [];
      const removals: (() => void)[] = [];
      for (const step of taken) {
        if (step === 'push') {
          expected.push(removals.length);
          removals.push(queue.push(removals.length));
        } else if (step === 'shift') expect(queue.shift()).toBe(expected.shift());
        else {
          removals[step]?.();
          expected = expected.filter(value => value !== step);
        }
        expect(queue.size).toBe(expected.length);
      }
      for (const value of expected) expect(queue.shift()).toBe(value);
      expect(queue.shift()).toBeUndefined();
    }),
  );
});
