import { expect, test } from 'vitest';
import { networkError } from '../../../src/http/fetch-only-transport.ts';
import { begunCall } from './begun-call.ts';

function errorOf(thrown: unknown, phase: 'head' | 'body' = 'head') {
  const call = begunCall();
  if (phase === 'body') call.receiveHead();
  return networkError(call, thrown);
}

test.each([
  ['the body breaks off', new TypeError('Load failed'), 'body'],
  ['an edge worker loses the connection', new Error('Network connection lost.'), 'head'],
  ['the thrown value is not an error', undefined, 'head'],
] as const)('says that no whole response came if %s', (_, error, phase) => {
  const { message, outcome } = errorOf(error, phase);
  expect(message).toContain('no whole response came from api.example.com:443 (network failure).');
  expect(outcome).toBe('unknown');
});
