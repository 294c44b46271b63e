// Random lists, services and users: kinds of which an iteration guarantees that no record is missed.
import fc from 'fast-check';
import type { Kind } from './changing-list.ts';

interface RandomKind extends Kind {
  readonly seed: number;
}

const rate = (max: number) =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 100 }).map(share => (share / 100) * max),
  );

const capsFrom = (...caps: number[]) => fc.array(fc.constantFrom(...caps), { minLength: 1, maxLength: 4 });

const common = {
  seed: fc.integer(),
  size: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
  maxLimit: fc.constantFrom(30, 100, 100, 500),
  refusesOffset: fc.boolean(),
  failureRate: rate(0.1),
  left: rate(0.03),
  concurrency: fc.constantFrom(1, 1, 2, 4, 8, 16),
};

/** Lists that change while they are read, in pages of at least ten records: see the guide for shorter pages. */
const changing = {
  ...common,
  sorted: fc.constantFrom('created' as const, 'created last' as const, 'anyhow' as const),
  caps: capsFrom(10, 11, 17, 30, 42, 99, 100, 500),
  // If records are added faster than a search makes requests, a resumed iteration starts over: see the guide.
  changeRate: rate(0.5),
  additions: fc.constantFrom(0, 0.5, 1.5),
  deletions: fc.constantFrom(0, 1, 5, 40),
  loopDeletions: fc.constantFrom(0, 1),
};

/** Interrupted iterations over a list that changes, and uninterrupted ones over a list that changes by many records at once. */
export const changingKind: fc.Arbitrary<RandomKind> = fc.oneof(
  fc.record(changing),
  fc.record({
    ...changing,
    changeRate: rate(1),
    additions: fc.constantFrom(1.5, 5, 12),
    failureRate: fc.constant(0),
    left: fc.constant(0),
  }),
);

/** Lists that only shrink, anywhere. */
export const shrinkingKind: fc.Arbitrary<RandomKind> = fc.record({
  ...changing,
  changeRate: rate(1),
  additions: fc.constant(0),
  deletions: fc.constantFrom(1, 3, 5),
});

/** Lists that only shrink, read one record at a time. A search for the position then takes a hundred requests. */
export const singleRecordKind: fc.Arbitrary<RandomKind> = fc.record({
  ...changing,
  failureRate: rate(0.01),
  additions: fc.constant(0),
  caps: capsFrom(1),
});

/** Lists that do not change, from services that return always one record, or any number from two. */
export const steadyKind: fc.Arbitrary<RandomKind> = fc.record({
  ...common,
  sorted: fc.constant('created' as const),
  caps: fc.oneof(capsFrom(1), capsFrom(2, 3, 10, 17, 30, 99, 100, 500)),
});
