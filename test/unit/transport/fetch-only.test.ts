import { expect, test } from 'vitest';
import { networkFailure } from '../../../src/transport/fetch-only.ts';
import { circumstances, errorOfOne } from '../call/circumstances.ts';

const errorOf = (thrown: unknown, phase: 'head' | 'body' = 'head') =>
  errorOfOne(networkFailure(circumstances(), { phase, thrown }));

test.each([
  ['the body breaks off', new TypeError('Load failed'), 'body'],
  ['an edge worker loses the connection', new Error('Network connection lost.'), 'head'],
  ['the thrown value is not an error', undefined, 'head'],
] as const)('says that no whole response came if %s', (_, error, phase) => {
  const { message, outcome } = errorOf(error, phase);
  expect(message).toContain('no whole response came from api.example.com:443 (network failure).');
  expect(outcome).toBe('unknown');
});
