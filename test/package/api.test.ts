import { expect, test } from 'vitest';
import { apiReport } from './api.ts';

test('api.txt is the report of the public interface, which `npm run generate` writes', async () => {
  await expect(apiReport()).toMatchFileSnapshot('api.txt');
});
