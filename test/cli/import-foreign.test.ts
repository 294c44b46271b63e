// What something between the command and the service responds: the service may have acted behind it.
import { describe, expect, test } from 'vitest';
import { identify, sentRows, stage } from './run-cli.ts';

const page = '<html><body>Error</body></html>';
const own = { status: 'error', message: 'request body not in proper format' };
const oneByOne = ['--json', '--concurrency', '1'];

describe('import: a row that must not be sent twice', () => {
  test.each([403, 404, 405, 406, 408, 410, 424, 451, 502, 503])(
    'is unknown after %d in another form, and not sent again',
    async status => {
      await using staged = await stage();
      staged.sandbox.fail(identify, { status, body: page, acted: true, times: 1 });
      const text = 'email,customFields.n\na@x.test,++1\nb@x.test,++1\n';
      const { stdout, stderr } = await staged.importText(text, ...oneByOne);
      expect(JSON.parse(stdout)).toMatchObject({ rejected: 0, unknown: 1 });
      expect(stderr).not.toContain('correct them');
      expect(staged.read('people.csv.unknown.csv')).toContain('a@x.test');
      const again = await staged.importText(text, ...oneByOne);
      expect(JSON.parse(again.stdout)).toMatchObject({ sent: 1, rejected: 0, unknown: 1, pending: 0 });
      expect(sentRows(staged).map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test']);
    },
  );

  test.each([400, 409, 413, 415, 422])('is rejected after %d, which comes before acting', async status => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status, body: page, times: 1 });
    const { stdout } = await staged.importText('email,customFields.n\na@x.test,++1\n', ...oneByOne);
    expect(JSON.parse(stdout)).toMatchObject({ rejected: 1, unknown: 0 });
  });

  test.each([403, 404, 405])(
    'is rejected, or left to send, after %d in the form of the service',
    async status => {
      await using staged = await stage();
      staged.sandbox.fail(identify, { status, body: own, times: 1 });
      const { stdout } = await staged.importText('email,customFields.n\na@x.test,++1\n', ...oneByOne);
      expect(JSON.parse(stdout)).toMatchObject({ unknown: 0 });
    },
  );
});

test.each([405, 406, 410])('import: any other row is left to send after %d in another form', async status => {
  await using staged = await stage();
  staged.sandbox.fail(identify, { status, body: page, acted: true, times: 1 });
  const { stdout } = await staged.importText('email,firstName\na@x.test,Ada\n', ...oneByOne);
  expect(JSON.parse(stdout)).toMatchObject({ rejected: 0, unknown: 0, pending: 1 });
  const again = await staged.importText('email,firstName\na@x.test,Ada\n', ...oneByOne);
  expect(JSON.parse(again.stdout)).toMatchObject({ sent: 1, pending: 0 });
});
