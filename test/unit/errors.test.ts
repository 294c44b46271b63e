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
  const others = [undefined, null, 'ConflictError', 7, { name: 'ConflictError' }, conflict, new Error('x')];
  for (const value of others) expect(ConflictError.isInstance(value)).toBe(false);
});

test('an error has its name at the start of its stack, and the mark that other copies of the package recognize', () => {
  expect(conflict().stack).toMatch(/^ConflictError: taken\n/);
  expect(Reflect.get(conflict(), Symbol.for('email-marketing-client.error'))).toBe(true);
});

describe('an error of another copy of the package', () => {
  /** Classes of another copy: they share only a registered symbol and their names with this one. */
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

  test('is an instance of its class and of its base classes', () => {
    const error = new OtherConflict();
    expect(EmailMarketingError.isInstance(error)).toBe(true);
    expect(ConflictError.isInstance(error)).toBe(true);
    expect(NotFoundError.isInstance(error)).toBe(false);
  });

  test('needs the mark besides its name', () => {
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

/** A class of errors, and the members that its errors can have beside the common ones. */
type Described = readonly [
  make: new (message: string, members: never) => EmailMarketingError,
  members: object,
];

const ofResponses: readonly Described[] = [
  ...[ApiError, AuthenticationError, BadRequestError, ConflictError],
  ...[NotFoundError, PermissionError, RateLimitError, ServerError],
].map(make => [make, response]);

describe('the members of an error', () => {
  test.each([EmailMarketingError, ConfigurationError, ConnectionError])('have defaults in %o', make => {
    const error = new make('no');
    expect({ ...error }).toMatchObject({ operation: undefined, outcome: 'not-sent', attempts: [] });
    expect([error.name, error.message, 'cause' in error]).toEqual([make.name, 'no', false]);
  });

  test.each<Described>([
    [EmailMarketingError, {}],
    [ConfigurationError, { option: 'baseUrl' }],
    [InvalidRequestError, { issues }],
    [InvalidResponseError, { issues }],
    [ConnectionError, { code: 'ECONNRESET' }],
    [TimeoutError, { limit: 'timeout', phase: 'head' }],
    [RateLimitError, { ...response, retryAfter: 7 }],
    ...ofResponses,
  ])('are those that %o is made of; its JSON has those that a log needs', (make, members) => {
    const error = new make('no', { ...common, ...members } as never);
    const { name } = make;
    expect(error).toMatchObject({ name, message: 'no', ...common, ...members });
    const { operation, outcome } = common;
    const status = 'status' in members ? { status: members.status } : {};
    expect(error.toJSON()).toEqual({ name, message: 'no', operation, outcome, attempts, ...status });
  });
});
