import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  ApiError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EmailMarketingError,
  NotFoundError,
} from '../../src/index.ts';

const conflict = () =>
  new ConflictError('taken', {
    operation: 'tags.create',
    outcome: 'refused',
    body: {},
    response: { status: 409, headers: new Headers({ 'set-cookie': 'session=1' }) },
  });

test('isInstance accepts only instances of a class and its subclasses', () => {
  const error = conflict();
  expect(EmailMarketingError.isInstance(error)).toBe(true);
  expect(ApiError.isInstance(error)).toBe(true);
  expect(ConflictError.isInstance(error)).toBe(true);
  expect(ConnectionError.isInstance(error)).toBe(false);
  class Own extends ApiError {}
  const own = new Own('own', { body: {}, response: { status: 418, headers: new Headers() } });
  expect([own instanceof Own, own instanceof ApiError, Own.isInstance(own)]).toEqual([true, true, true]);
  expect([error instanceof Own, Own.isInstance(error)]).toEqual([false, false]);
  const others = [undefined, null, 'ConflictError', 7, { name: 'ConflictError' }, conflict, new Error('x')];
  for (const value of others) expect(ConflictError.isInstance(value)).toBe(false);
});

test('an error has its name at the start of its stack, and the mark that other copies of the package recognize', () => {
  expect(conflict().stack).toMatch(/^ConflictError: taken\n/);
  expect(Reflect.get(conflict(), Symbol.for('email-marketing-client.error'))).toBe(true);
});

test('an error has no property that a web framework would use in a response to a visitor', () => {
  const error = conflict();
  const names = ['status', 'statusCode', 'statusMessage', 'statusText'];
  names.push('headers', 'expose', 'data', 'getResponse');
  expect(names.filter(name => name in error)).toEqual([]);
  expect(error.response.status).toBe(409);
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'ConflictError', status: 409 });
  expect(error.response.headers.get('set-cookie')).toBe('session=1');
  expect(inspect(error, { depth: 5 }) + JSON.stringify(error)).not.toContain('session=1');
});

test('an error of another copy of the package is an instance of its class and base classes, if it has the mark', () => {
  // The classes of another copy share only a registered symbol and their names with this one.
  class Impostor extends Error {
    override get name(): string {
      return 'ConflictError';
    }
  }
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
  const error: unknown = new OtherConflict();
  for (const make of [EmailMarketingError, ConflictError])
    expect([make.isInstance(error), error instanceof make]).toEqual([true, true]);
  expect(NotFoundError.isInstance(error)).toBe(false);
  for (const make of [NotFoundError, ApiError]) expect(error).not.toBeInstanceOf(make);
  expect(ConflictError.isInstance(new Impostor())).toBe(false);
});

test.each([EmailMarketingError, ConfigurationError, ConnectionError])('%o has defaults', make => {
  const error = new make('no');
  expect({ ...error }).toMatchObject({ operation: undefined, outcome: 'not-sent', attempts: [] });
  expect([error.name, error.message, 'cause' in error]).toEqual([make.name, 'no', false]);
});
