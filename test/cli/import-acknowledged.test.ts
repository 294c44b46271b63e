import { describe, expect, test } from 'vitest';
import { useNoRetryDelay } from '../client/support.ts';
import { endedWith, identify, sentRows, stage } from './run-cli.ts';

useNoRetryDelay();

const emails = Array.from({ length: 30 }, (_, index) => `p${index}@example.com`);
const text = `email\n${emails.join('\n')}\n`;
const oneByOne = ['--json', '--concurrency', '1'];

/** Bodies that come under 200 from something other than the service, or from a service that did nothing. */
const foreign: readonly (readonly [body: unknown, shown: RegExp])[] = [
  ['<html><body>Sign in</body></html>', /HTML page/],
  ['', /expected an object/],
  [[], /expected an object/],
  [{}, /without "status" and "data"/],
  [{ status: 'denied' }, /the status "denied"/],
  [{ success: false }, /no message/],
  [{ error: 'sign in first' }, /sign in first/],
];

describe('import takes a row as sent only if the service acknowledged it', () => {
  test.each(foreign)('not after 200 with %j: it stops, and loses no row', async (body, shown) => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 200, body });
    const stopped = await staged.importText(text, ...oneByOne);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toMatch(/Stopped: the service acknowledged none of 3 rows in a row/);
    expect(stopped.stderr).toMatch(shown);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ sent: 0, rejected: 0, pending: 30 });
    expect(staged.sandbox.requests.count(identify)).toBe(3);
    staged.sandbox.clearFaults();
    const again = await staged.importText(text, '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ sent: 30, sentBefore: 0, pending: 0 });
  });

  test('so a single other response leaves one row to send, and the command says so', async () => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 200, body: 'Welcome', after: 4, times: 2 });
    const ended = await staged.importText(text, ...oneByOne);
    expect(ended).toMatchObject(endedWith(2, /Stopped: 2 rows got no clear response.*other text/));
    expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 28, rejected: 0, pending: 2 });
    const again = await staged.importText(text, '--json');
    expect(again.code).toBe(0);
    expect(sentRows(staged).slice(30)).toEqual([{ email: 'p4@example.com' }, { email: 'p5@example.com' }]);
  });

  test.each([{ status: 'queued' }, { data: { email: 'p0@example.com' } }, { status: 200, message: '' }])(
    'and so after %j',
    async body => {
      await using staged = await stage();
      staged.sandbox.fail(identify, { status: 200, body });
      const ended = await staged.importText('email\np0@example.com\n', '--json');
      expect(ended.code).toBe(0);
      expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 1 });
    },
  );

  test('but a refusal in its own form rejects the row', async () => {
    await using staged = await stage();
    const body = { status: 'error', message: 'request body not in proper format' };
    staged.sandbox.fail(identify, { status: 200, body, times: 5 });
    const ended = await staged.importText(text, ...oneByOne);
    expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 25, rejected: 5, pending: 0 });
  });

  test.each([429, 500, 503])('and %i leaves it for the next run', async status => {
    await using staged = await stage();
    const fault = staged.sandbox.fail(identify, { status });
    const one = 'email\na@x.test\n';
    const ended = await staged.importText(one, '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 0, rejected: 0, pending: 1 });
    fault.cancel();
    expect(JSON.parse((await staged.importText(one, '--json')).stdout)).toMatchObject({ sent: 1 });
  });
});
