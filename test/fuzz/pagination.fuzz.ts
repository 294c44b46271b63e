// Iterates over lists that change and services that fail, at random.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { iterate, none } from '../pagination/changing-list.ts';
import { changingKind, shrinkingKind, singleRecordKind, steadyKind } from '../pagination/random-kinds.ts';
import { fuzz } from './fuzz.ts';

const anyKind = fc.oneof(changingKind, shrinkingKind, singleRecordKind, steadyKind);

const property = fc.asyncProperty(anyKind, async kind => {
  const { missed, repeated, errors } = await iterate(kind, kind.seed);
  assert.deepEqual({ missed, repeated: errors > 0 ? 0 : repeated }, none);
});

fuzz('pagination over services that change, cap, cut, grow and fail', property);
