import { expect, test } from 'vitest';
import { apiReport, unexportedTypes } from './api.ts';

test('api.txt is the report of the public interface, which `npm run generate` writes', async () => {
  await expect(apiReport()).toMatchFileSnapshot('api.txt');
});

test('every type that a public signature names is exported', () => {
  // What the standard defines of a schema, which users get from the library of their schemas.
  const ofStandardSchema = ['Validated of StandardSchema', 'SchemaIssue of Validated'];
  // The sandbox has the union that the main entry exports under this name: a type test compares them.
  expect(unexportedTypes()).toEqual([...ofStandardSchema, 'OperationName of ReceivedRequest']);
});
