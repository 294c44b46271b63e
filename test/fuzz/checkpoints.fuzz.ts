// Resumes iterations from arbitrary checkpoints.
import fc from 'fast-check';
import { EmailMarketingError } from '../../src/errors.ts';
import { FakeList, ids, items, partsOf } from '../pagination/fake-list.ts';
import { fuzz } from './fuzz.ts';

const { source } = partsOf(new FakeList([], 1).paginate().checkpoint);
const hashes = fc.stringMatching(/^([0-9a-z]{11}){0,10}$/);

const anyCheckpoint = fc.oneof(
  fc
    .tuple(
      fc.oneof(fc.constant(1), fc.anything()),
      fc.oneof(fc.constant(source), fc.anything()),
      fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.anything()),
      fc.oneof(hashes, fc.string()),
    )
    .map(parts => parts.map(part => fc.stringify(part).replaceAll('"', '')).join('.')),
  fc.tuple(fc.maxSafeNat(), hashes).map(([offset, tail]) => `1.${source}.${offset}.${tail}`),
  fc.anything().filter(value => value !== undefined),
);

/** More requests than the search for a position and a list of 200 records in pages of 10 need. */
const maxRequests = 400;

/** The library refuses a checkpoint, or the iteration ends and yields no record twice. */
const property = fc.asyncProperty(anyCheckpoint, async checkpoint => {
  const list = new FakeList(items(200), 10);
  try {
    const seen = ids(await list.paginate({ checkpoint: checkpoint as never }).toArray());
    if (new Set(seen).size < seen.length) throw new Error('a record was yielded twice');
  } catch (error) {
    if (!EmailMarketingError.isInstance(error) || error.name !== 'InvalidRequestError') throw error;
  }
  if (list.requests > maxRequests) throw new Error(`${list.requests} requests were made`);
});

fuzz('arbitrary checkpoints', property);
