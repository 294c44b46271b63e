import { expect, test } from 'vitest';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

test('JSON.stringify of an error gives name, message, operation, outcome, status and attempts', async () => {
  respond('POST /api/v1/rest/tag', {
    body: { status: 'error', message: 'resource with this name already exists' },
    status: 409,
  });
  const error = await failure(makeClient().tags.create({ name: 'vip' }));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ConflictError',
    message:
      'tags.create: 409 from rest.example.test: resource with this name already exists. Use another name, or the resource that exists.',
    operation: 'tags.create',
    outcome: 'refused',
    status: 409,
    attempts: [{ durationMs: expect.any(Number), waitMs: expect.any(Number), status: 409 }],
  });
});

test('a message of the service that ends with a full stop keeps one', async () => {
  respond('GET /api/v1/rest/sender', { body: { error: 'Invalid parameters provided.' } });
  expect(await failure(makeClient().senders.list())).toMatchObject({
    name: 'BadRequestError',
    message: 'senders.list: 200 from rest.example.test: Invalid parameters provided. Check the input.',
  });
});
