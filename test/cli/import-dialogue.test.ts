// What a person on a terminal is asked, and what each answer does.
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { eventually } from '../support/eventually.ts';
import { surroundings } from '../support/surroundings.ts';
import { sentAddresses, sentRows, stage } from './run-cli.ts';

/** Imports a file on a terminal where these lines are typed, each at a prompt; `undefined` is the end of the input. */
async function importWith(
  text: string | Uint8Array,
  typed: readonly (string | undefined)[],
  ...args: string[]
) {
  await using staged = await stage();
  staged.write('people.csv', text);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = surroundings({ env: staged.env, stdin });
  const answers = [...typed];
  let answered = 0;
  own.stderr.on('text', () => {
    const shown = own.stderr.text.slice(answered);
    if (!/(?::|\[y\/N\]) $/.test(shown)) return;
    answered = own.stderr.text.length;
    const answer = answers.shift();
    if (answer === undefined) stdin.end();
    else setImmediate(() => stdin.write(`${answer}\n`));
  });
  const code = await main(['import', staged.path('people.csv'), ...args], own);
  return {
    code,
    unused: answers,
    stdout: own.stdout.text,
    stderr: own.stderr.text,
    sent: sentAddresses(staged),
    bodies: sentRows(staged),
  };
}

const text =
  'email,Status,SMS consent\n' +
  'a@x.test,Active,No\nb@x.test,Active,Yes\nc@x.test,Unsubscribed,Yes\nd@x.test,Unconfirmed,No\n';

describe('import asks on a terminal who may be mailed', () => {
  test('in two steps, and prints the answers as options', async () => {
    const { code, stderr, sent } = await importWith(text, ['1', 'a', 'y']);
    expect(stderr).toContain('1  Status  Active 2 | Unconfirmed 1 | Unsubscribed 1  <- says "Unsubscribed"');
    expect(stderr).toContain(
      'Status: which of these mean yes?   a  Active   b  Unconfirmed   c  Unsubscribed :',
    );
    expect(stderr).toContain('The same without questions: --mailable "Status=Active" --yes');
    expect(stderr).toContain('2 rows will be mailed (Status=Active); 2 will not');
    expect({ code, sent }).toEqual({ code: 0, sent: ['a@x.test', 'b@x.test'] });
  });

  test('by several columns, which must all agree', async () => {
    const { stderr, sent } = await importWith(text, ['1 2', 'a,b', 'b', 'y']);
    expect(stderr).toContain('--mailable "Status=Active,Unconfirmed" --mailable "SMS consent=Yes" --yes');
    expect(sent).toEqual(['b@x.test']);
  });

  test('and stops at a plain word, if everyone is the answer, with the options for both ways on', async () => {
    const { code, stderr, sent } = await importWith(text, ['everyone']);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('The same without questions: --mailable everyone --yes');
    expect(stderr).toMatch(
      /import: 1 row to be sent: column "Status" is "Unsubscribed"\. Add --mailable "Status=VALUE,VALUE" with the values that mean yes \(Active 2 \| Unconfirmed 1 \| Unsubscribed 1\), or --mailable "Status=\(any\)" if that column does not matter\. The answers so far: --mailable everyone\n$/,
    );
    const some = await importWith(text, ['y'], '--mailable', 'Status=Active,Unconfirmed');
    expect(some.sent).toEqual(['a@x.test', 'b@x.test', 'd@x.test']);
    const all = await importWith(text, ['y'], '--mailable', 'everyone', '--mailable', 'Status=(any)');
    expect(all.sent).toHaveLength(4);
  });

  test('again, if an option says only that a column does not matter', async () => {
    const { stderr, sent } = await importWith(text, ['1', 'b', 'y'], '--mailable', 'Status=(any)');
    expect(stderr).toContain(
      'without questions: --mailable "Status=(any)" --mailable "SMS consent=Yes" --yes',
    );
    expect(sent).toEqual(['b@x.test', 'c@x.test']);
  });

  test.each([
    ['a value', 'email,Kind\na@x.test,B\nb@x.test,B\nc@x.test,A\n', ['1', 'B', '#b', 'y'], 'c@x.test'],
    ['values', 'email,Kind\na@x.test,a b\nb@x.test,a b\nc@x.test,x\n', ['1', 'a b', '#b', 'y'], 'c@x.test'],
    ['a column', 'email,2,1\na@x.test,yes,no\nb@x.test,no,yes\n', ['1', '#2', 'a', 'y'], 'a@x.test'],
  ])('and takes no letter or number that can mean the name of %s', async (_, file, typed, address) => {
    const { stderr, sent } = await importWith(file, typed);
    expect(stderr).toContain('is no answer');
    expect(sent).toEqual([address]);
  });

  test('by columns whose names contain each other', async () => {
    const file = 'email,Optin=Mail,Optin\na@x.test,ja,ja\nb@x.test,ja,nein\nc@x.test,nein,Mail=ja\n';
    const both = await importWith(file, ['1 2', 'a', 'a', 'y']);
    expect(both.stderr).toContain('--mailable "Optin=Mail=ja" --mailable "Optin=ja" --yes');
    expect(both.sent).toEqual(['a@x.test']);
    const quoted = await importWith(file, ['2', 'c', 'y']);
    expect(quoted.sent).toEqual(['c@x.test']);
  });

  test('and prints the other options of the run with the answers', async () => {
    const others = ['--fields', 'SMS consent,Status', '--dry-run', '--only-new'];
    const { stderr } = await importWith(text, ['1', 'a'], ...others);
    expect(stderr).toContain(
      'without questions: --fields "SMS consent,Status" --mailable "Status=Active" --only-new --dry-run\n',
    );
  });

  test('by a column with up to twenty values, and names the columns that are not listed', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => {
      const flags = Array.from({ length: 9 }, (_, at) => 'xyz'[(index + at) % 3]);
      return `p${index}@x.test,${flags},${'ja nein'.split(' ')[index % 2]},s${index % 14},v${index % 30}\n`;
    });
    const names = Array.from({ length: 9 }, (_, at) => `Group ${at}`);
    const file = `email,${names},Post,Subscription,Status code\n${rows.join('')}`;
    const { stderr } = await importWith(file, ['']);
    expect(stderr).toMatch(
      / 1 {2}Subscription {2}s0 5 \| s1 5 .* s13 4\n.* 2 {2}Status code {2}\(filled\) 60 \| v0 2 .*\n.* 3 {2}Post {2}ja 30 \| nein 30\n/,
    );
    expect(stderr).toContain('  More columns, for --mailable "COLUMN=VALUE,VALUE": Group 7, Group 8\n');
  });

  test.each([
    ['no column may say it', 'email,Note\na@x.test,x1\n', ['', '']],
    ['columns may say it', text, ['', '']],
    ['values are to be named', text, ['1', '']],
    ['it is to be sent', text, ['1', 'a', '']],
    ['it is to be sent', text, ['1', 'a', 'n']],
    ['the input ends at the first prompt', text, []],
    ['the input ends at the second prompt', text, ['1']],
    ['the input ends at the last prompt', text, ['1', 'a']],
  ])('the shortest answer sends nothing where %s', async (_, file, typed) => {
    const { code, stdout, stderr, sent } = await importWith(file, typed, '--json');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(JSON.parse(stdout).error).toEqual({ code: 'confirmation', message: 'Nothing was sent.' });
    expect(stderr).not.toContain('is no answer');
    expect(stderr).toMatch(/import: Nothing was sent\.\n$/);
  });

  test.each(['0', '9', '1 9', 'a', 'yes', 'y', 'Status', 'everybody', '1everyone', '-1'])(
    'again if %j is typed',
    async typed => {
      const { stderr, sent } = await importWith(text, [typed, '1', 'a', 'y']);
      expect(stderr).toContain(`${JSON.stringify(typed)} is no answer`);
      expect(sent).toEqual(['a@x.test', 'b@x.test']);
    },
  );

  test('and sends nothing of a file that changes during the last prompt', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email\na@x.test\n');
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const own = surroundings({ env: staged.env, stdin });
    const ended = main(['import', staged.path('people.csv'), '--mailable', 'everyone'], own);
    await eventually(() => expect(own.stderr.text).toContain('[y/N]'));
    staged.write('people.csv', 'email\neve@x.test\n');
    stdin.write('y\n');
    expect(await ended).toBe(2);
    expect(own.stderr.text).toMatch(/: .*people\.csv changed after it was read\n$/);
    expect(staged.sandbox.requests.count()).toBe(0);
  });

  test('but with --yes nothing, and the error lists what is open', async () => {
    const { code, unused, stderr, sent } = await importWith(text, ['everyone', 'y'], '--yes');
    expect({ code, unused, sent }).toEqual({ code: 2, unused: ['everyone', 'y'], sent: [] });
    expect(stderr).not.toContain('Without a terminal');
    expect(stderr).toContain('--mailable "COLUMN=VALUE,VALUE"');
  });
});

describe('import asks on a terminal', () => {
  test('for the column of the email, birthdays and commas in tags', async () => {
    const file = 'Kontakt,Tags,Birthday\na@x.test,"vip, new",03/04/1990\n';
    const { stderr, bodies } = await importWith(file, ['1', '1', '2', 'everyone', 'y']);
    expect(stderr).toContain('Which column contains the email?');
    expect(bodies).toEqual([{ email: 'a@x.test', tags: ['vip', 'new'], birthday: '1990-03-04' }]);
    expect(stderr).toContain(
      '--map "Kontakt=email" --tag-separator "," --birthdays month-first --mailable everyone --yes',
    );
  });
});
