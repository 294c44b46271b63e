// The table of operations against the types of the client: the compiler reports what either one lacks.
import { expect, expectTypeOf, test } from 'vitest';
import { EmailMarketingClient, type OperationName, type Resources } from '../src/index.ts';
import { type operations, rows } from './operations.ts';

/** Every method of every resource, `all` aside, which sends its requests through `list`. */
type Method = {
  [Resource in keyof Resources & string]: `${Resource}.${Exclude<keyof Resources[Resource] & string, 'all'>}`;
}[keyof Resources & string];

test('the table has a row for every method of every resource', () => {
  expectTypeOf<Method>().toEqualTypeOf<OperationName>();
  expectTypeOf<keyof typeof operations>().toEqualTypeOf<OperationName>();
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  for (const { name } of rows) {
    const [resource, method = ''] = name.split('.');
    expect(client[resource as keyof Resources]).toHaveProperty(method);
  }
});
