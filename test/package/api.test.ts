import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiReport } from './api.ts';

test('nothing public has changed unseen: `npm run generate` writes down a change', () => {
  expect(apiReport()).toBe(readFileSync(new URL('api.txt', import.meta.url), 'utf8'));
});
