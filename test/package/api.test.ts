import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiReport } from './api.ts';

test('api.txt is the report of the public interface, which `npm run generate` writes', () => {
  expect(apiReport()).toBe(readFileSync(new URL('api.txt', import.meta.url), 'utf8'));
});
