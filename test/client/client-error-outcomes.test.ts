// The outcome of each 4xx: of the service itself, and of something in between, which may send it once the service has acted.
import { expect, test } from 'vitest';
import type { OperationName, Outcome } from '../../src/index.ts';
import { row } from '../operations.ts';
import * as faults from '../support/faults.ts';
import { connect, failureOf } from './support.ts';

// Those that come before the service acts, whoever sends them, and those that a filter or an error page sends in place of a
// response.
const before = [400, 401, 402, 409, 411, 413, 414, 415, 417, 421, 422, 426, 428];
const inPlaceOfResponse = [
  403, 404, 405, 406, 410, 412, 416, 418, 419, 420, 423, 424, 425, 427, 430, 440, 451, 460, 499,
];

const blocked = [
  '<title>Access Denied</title>',
  '',
  '{"message":"blocked"}',
  '{"status":403,"message":"no"}',
];

test.each<[Outcome, OperationName, readonly number[]]>([
  ['refused', 'tags.delete', [...before, 429, 431]],
  ['unknown', 'tags.delete', inPlaceOfResponse],
  ['refused', 'legacy.track', [...before, 429, 431]],
  ['unknown', 'legacy.track', inPlaceOfResponse],
  ['refused', 'senders.list', [...before, ...inPlaceOfResponse]],
])('a 4xx that the service did not write is %s for %s, by its status', async (outcome, name, all) => {
  const { server, client } = await connect({ maxRetries: 0 });
  for (const status of all)
    for (const body of blocked) {
      server.otherwise(faults.status(status, {}, body));
      expect(await failureOf(row(name).call(client)), `${status}: ${body}`).toMatchObject({ outcome });
    }
});

test('a 4xx in the form of the service is refused, by any status', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  for (const status of [...before, ...inPlaceOfResponse]) {
    server.otherwise(faults.status(status, {}, '{"status":"error","message":"not for you"}'));
    expect(await failureOf(client.tags.create({ name: 'a' }))).toMatchObject({
      response: { status },
      outcome: 'refused',
    });
  }
});
