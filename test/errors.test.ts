import { expect, test } from 'vitest';
import { ApiError, ConflictError, ConnectionError, EmailMarketingError } from '../src/errors.ts';

const conflict = () =>
  new ConflictError('taken', { operation: 'tags.create', status: 409, body: {}, headers: new Headers() });

test('isInstance follows the class tree and no other', () => {
  const error = conflict();
  expect(EmailMarketingError.isInstance(error)).toBe(true);
  expect(ApiError.isInstance(error)).toBe(true);
  expect(ConflictError.isInstance(error)).toBe(true);
  expect(ConnectionError.isInstance(error)).toBe(false);
  expect(EmailMarketingError.isInstance(new Error('x'))).toBe(false);
  expect(EmailMarketingError.isInstance(undefined)).toBe(false);
});

test('the name heads the stack', () => {
  expect(conflict().stack).toMatch(/^ConflictError: taken\n/);
});
