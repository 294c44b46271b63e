import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EmailMarketingError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../src/index.ts';

const conflict = () =>
  new ConflictError('taken', { operation: 'tags.create', status: 409, body: {}, headers: new Headers() });

test('isInstance accepts only instances of a class and its subclasses', () => {
  const error = conflict();
  expect(EmailMarketingError.isInstance(error)).toBe(true);
  expect(ApiError.isInstance(error)).toBe(true);
  expect(ConflictError.isInstance(error)).toBe(true);
  expect(ConnectionError.isInstance(error)).toBe(false);
  for (const value of [
    undefined,
    null,
    'ConflictError',
    7,
    { name: 'ConflictError' },
    conflict,
    new Error('x'),
  ])
    expect(ConflictError.isInstance(value)).toBe(false);
});

test('the stack starts with the name', () => {
  expect(conflict().stack).toMatch(/^ConflictError: taken\n/);
});

test('an error has the mark by which other copies of the package recognize it', () => {
  expect(Reflect.get(conflict(), Symbol.for('email-marketing-client.error'))).toBe(true);
});

describe('an error of another copy of the package', () => {
  /** Classes as another copy has them: they share nothing with this one but a registered symbol and their names. */
  class OtherBase extends Error {
    override get name(): string {
      return 'EmailMarketingError';
    }
    get [Symbol.for('email-marketing-client.error')](): true {
      return true;
    }
  }
  class OtherConflict extends OtherBase {
    override get name(): string {
      return 'ConflictError';
    }
  }

  test('is an instance of its class and of those above it', () => {
    const error = new OtherConflict();
    expect(EmailMarketingError.isInstance(error)).toBe(true);
    expect(ConflictError.isInstance(error)).toBe(true);
    expect(NotFoundError.isInstance(error)).toBe(false);
  });

  test('is an instance of no class only because of its name', () => {
    class Impostor extends Error {
      override get name(): string {
        return 'ConflictError';
      }
    }
    expect(ConflictError.isInstance(new Impostor())).toBe(false);
  });
});

const attempts = [{ durationMs: 12, waitMs: 0, status: 409 }];
const common = { operation: 'tags.create', outcome: 'refused', attempts, cause: 'a cause' } as const;
const response = { status: 409, body: { status: 'error' }, headers: new Headers({ 'x-a': 'b' }) };
const issues = [{ path: 'name', expected: 'text', received: 'null' }];

describe('the members of an error', () => {
  test.each([
    ['EmailMarketingError', EmailMarketingError],
    ['ConfigurationError', ConfigurationError],
    ['ConnectionError', ConnectionError],
  ])('have defaults in the class %s', (name, make) => {
    const error = new make('no');
    expect({ ...error }).toMatchObject({ operation: undefined, outcome: 'not-sent', attempts: [] });
    expect([error.name, error.message, 'cause' in error]).toEqual([name, 'no', false]);
  });

  test.each([
    [new EmailMarketingError('no', common), 'EmailMarketingError', {}],
    [
      new ConfigurationError('no', { ...common, option: 'baseUrl' }),
      'ConfigurationError',
      { option: 'baseUrl' },
    ],
    [new InvalidRequestError('no', { ...common, issues }), 'InvalidRequestError', { issues }],
    [new InvalidResponseError('no', { ...common, issues }), 'InvalidResponseError', { issues }],
    [new ConnectionError('no', { ...common, code: 'ECONNRESET' }), 'ConnectionError', { code: 'ECONNRESET' }],
    [
      new TimeoutError('no', { ...common, limit: 'timeout', phase: 'head' }),
      'TimeoutError',
      { limit: 'timeout', phase: 'head' },
    ],
  ])('are those that it was made of: %o', (error, name, own) => {
    expect(error).toMatchObject({ name, message: 'no', ...common, ...own });
    const { operation, outcome } = common;
    expect(error.toJSON()).toEqual({ name, message: 'no', operation, outcome, attempts });
  });

  test.each([
    ['ApiError', ApiError],
    ['AuthenticationError', AuthenticationError],
    ['BadRequestError', BadRequestError],
    ['ConflictError', ConflictError],
    ['NotFoundError', NotFoundError],
    ['PermissionError', PermissionError],
    ['RateLimitError', RateLimitError],
    ['ServerError', ServerError],
  ])('are those of the response in the class %s, whose JSON has its status', (name, make) => {
    const error = new make('no', { ...common, ...response });
    expect(error).toMatchObject({ name, message: 'no', ...common, ...response });
    const { operation, outcome } = common;
    expect(error.toJSON()).toEqual({ name, message: 'no', operation, outcome, attempts, status: 409 });
  });

  test('are the seconds to wait in a RateLimitError', () => {
    expect(new RateLimitError('no', { ...response, retryAfter: 7 }).retryAfter).toBe(7);
  });
});
