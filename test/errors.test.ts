import { expect, test } from 'vitest';
import { ApiError, ConflictError, ConnectionError, EmailMarketingError } from '../src/index.ts';

const conflict = () =>
  new ConflictError('taken', { operation: 'tags.create', status: 409, body: {}, headers: new Headers() });

test('isInstance accepts instances of a class and its subclasses alone', () => {
  const error = conflict();
  expect(EmailMarketingError.isInstance(error)).toBe(true);
  expect(ApiError.isInstance(error)).toBe(true);
  expect(ConflictError.isInstance(error)).toBe(true);
  expect(ConnectionError.isInstance(error)).toBe(false);
  expect(EmailMarketingError.isInstance(new Error('x'))).toBe(false);
  expect(EmailMarketingError.isInstance(undefined)).toBe(false);
});

test('the stack starts with the name', () => {
  expect(conflict().stack).toMatch(/^ConflictError: taken\n/);
});
