// Error responses, as far as the operation decides. `status-meaning.test.ts` tests each status, message and form.
import { expect, test } from 'vitest';
import { ApiError, ConflictError } from '../../src/index.ts';
import { row } from '../endpoints.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

test.each([
  ['tags.create', ConflictError],
  ['domains.create', ConflictError],
  ['templates.delete', ApiError],
  ['legacy.track', ApiError],
] as const)('a 409 of %s without the message of a used name is a %o', async (name, make) => {
  const { call, endpoint } = row(name);
  const body = { status: 'error', message: 'template is used in an active campaign' };
  respond(endpoint, { body, status: 409 });
  const rejection = await failureOf(call(makeClient()));
  expect(rejection).toMatchObject({ constructor: make, response: { status: 409 }, outcome: 'refused' });
  expect(String(rejection).includes('Use another name')).toBe(make === ConflictError);
});

test('a body with an id is a record of `request`, and no success of a deletion', async () => {
  const body = { id: 'order_1', status: 'error', error: 'none' };
  respond('GET /api/v1/rest/order', { body });
  expect(await makeClient().request({ method: 'GET', path: '/order' })).toEqual(body);
  respond('DELETE /api/v1/rest/tag/:id', { body });
  expect((await makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe()).ok).toBe(false);
});
