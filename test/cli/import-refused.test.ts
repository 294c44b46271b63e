import { expect, test } from 'vitest';
import { useNoRetryDelay } from '../client/support.ts';
import { identify, stage } from './run-cli.ts';

useNoRetryDelay();

test.each([429, 500, 503])('a row that was not refused is left for the next run: %i', async status => {
  await using staged = await stage();
  const fault = staged.sandbox.fail(identify, { status });
  const text = 'email\nada@x.test\n';
  const ended = await staged.importText(text, '--json');
  expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 0, rejected: 0, pending: 1 });
  fault.cancel();
  expect(JSON.parse((await staged.importText(text, '--json')).stdout)).toMatchObject({ sent: 1 });
});
