// What the survey offers and shows, and what a log does not.
import { describe, expect, test } from 'vitest';
import { endedWith, identify, importAll, importRows, mailable, stage, survey, unwrapped } from './run-cli.ts';

describe('names of people are offered, whole, and never mapped:', () => {
  test.each([
    ['Name', 'firstName'],
    ['Imię i nazwisko', 'firstName'],
    ['お名前', 'firstName'],
    ['Nazwisko', 'lastName'],
  ])('%s', async (name, field) => {
    const text = `email,${name},agreed\nada@x.test,Ada\n`;
    const { stderr } = await survey(text);
    expect(unwrapped(stderr)).toContain(`Names? Add --map "${name}=${field}"\n`);
    const told = ['--map', `${name}=${field}`];
    const agreed = mailable('agreed=(empty)');
    expect((await importRows(text, ...agreed)).bodies).toEqual([{ email: 'ada@x.test' }]);
    expect((await importRows(text, ...agreed, ...told)).bodies).toEqual([
      { email: 'ada@x.test', [field]: 'Ada' },
    ]);
  });
});

test('a column without a name has the same one in the file of rejected rows', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,,Note\nnobody,A,\nada@x.test,A,\nbob@x.test,B,\n');
  const { stderr } = await staged.run('import', 'people.csv', '--yes', ...mailable('column 2=A'));
  expect(stderr).toContain('--mailable "column 2=A"');
  const corrected = staged.read('people.csv.rejected.csv').replace('nobody', 'cyd@x.test');
  staged.write('people.csv.rejected.csv', corrected);
  const ended = await staged.run('import', 'people.csv.rejected.csv', '--yes', ...mailable('column 2=A'));
  expect(ended.code).toBe(0);
  expect(staged.sandbox.requests.to(identify).at(-1)?.body).toEqual({ email: 'cyd@x.test' });
});

test('a message of the service that holds a person is not printed under --yes', async () => {
  await using staged = await stage();
  const message = 'Ada L. of Byron Mills is unknown';
  staged.sandbox.fail(identify, { status: 422, body: { status: 'error', message }, times: 1 });
  const text = 'email,firstName,company\nada@x.test,Ada L.,Byron Mills\n';
  const { code, stderr, stdout } = await staged.importText(text, '--json');
  expect(code).toBe(1);
  expect(stderr + stdout).toContain('legacy.identify: ');
  expect(stderr + stdout).not.toMatch(/Ada L\.|Byron/);
  expect(staged.read('people.csv.rejected.csv')).toContain(message);
});

test('1970-01-01 is a value of its own, and no date', async () => {
  const text = 'email,Left\na@x.test,1970-01-01\nb@x.test,2023-01-02\nc@x.test,1970-01-01\n';
  expect((await survey(text)).stderr).toContain('Left: 1970-01-01 2 | (date) 1 (2023-01-02 to 2023-01-02)\n');
  expect((await importRows(text, ...mailable('Left=(date)'))).sent).toEqual(['b@x.test']);
  expect((await importRows(text, ...mailable('Left=1970-01-01'))).sent).toEqual(['a@x.test', 'c@x.test']);
});

test('the order of day and month in birthdays is asked for, and never found out', async () => {
  const text = 'email,Birthday\na@x.test,25/12/1990\n';
  expect(await importAll(text)).toMatchObject({ ...endedWith(2, '--birthdays day-first'), sent: [] });
  const { bodies } = await importAll(text, '--birthdays', 'day-first');
  expect(bodies).toEqual([{ email: 'a@x.test', birthday: '1990-12-25' }]);
});
