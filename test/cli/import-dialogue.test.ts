// What a person on a terminal is asked, and what each answer does.
import { execFileSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
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
  staged.write('left', 'a@x.test\nb@x.test\n');
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
  const code = await main(
    ['import', staged.path('people.csv'), ...args.map(arg => (arg === 'left' ? staged.path(arg) : arg))],
    own,
  );
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

/** Cells with every kind of line break, and with what has a meaning in lists and shells. */
const lineBreaks = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f'];
const values = fc
  .array(fc.constantFrom(...lineBreaks, ...'ab,;="\'\\ $`!#', 'News', 'Events', 'é', '\u00ad'), {
    minLength: 2,
    maxLength: 8,
  })
  .map(parts => parts.join(''))
  // A quote before a formula is one that an export has added.
  .filter(cell => /[a-z]/i.test(cell) && !/'[='\r]/.test(cell));
/** What a person sees of a cell. */
const plain = (cell: string) =>
  cell
    .replaceAll('\u00ad', '')
    .replace(/[\s\u0085]+/g, ' ')
    .trim()
    .toLowerCase();

describe('import asks on a terminal who may be mailed', () => {
  test('in two steps, and prints the answers as options', async () => {
    const { code, stderr, sent } = await importWith(text, ['1', 'a', 'y']);
    expect(stderr).toContain('Who may be mailed? Rows with which of these values may be mailed?\n');
    expect(stderr).toContain('1  Status  Active 2 | Unconfirmed 1 | Unsubscribed 1\n');
    expect(stderr).toContain(
      'Status: rows with which of these values may be mailed?\n  a  Active 2\n  b  Unconfirmed 1\n  c  Unsubscribed 1\n',
    );
    expect(stderr).toContain('The same without questions: --mailable "Status=Active" --yes');
    expect(stderr).toMatch(
      / {2}1 person whose Status is "Unsubscribed" will not be mailed\n {2}1 person whose Status is "Unconfirmed" will not be mailed\n {2}2 people whose Status is "Active" will be mailed\n.*Send 2 rows/,
    );
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
    expect(stderr).not.toContain('The same without questions');
    expect(stderr).toMatch(
      /import: 1 row to be sent: column "Status" is "Unsubscribed"\. Add --mailable "Status=VALUE,VALUE" with the values whose rows may be mailed \(Active 2 \| Unconfirmed 1 \| Unsubscribed 1\), or --mailable "Status=\(any\)" if that column does not matter\. The answers so far: --mailable everyone\n$/,
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

  const kinds = 'email,Kind\na@x.test,B\nb@x.test,B\nc@x.test,A\n';
  const pairs = 'email,Kind\na@x.test,a b\nb@x.test,a b\nc@x.test,x\n';
  const flags = 'email,2,1\na@x.test,yes,no\nb@x.test,no,yes\n';

  test.each([
    ['the letter of a value', kinds, ['1', '#b'], ['c@x.test']],
    ['a value that is a letter', kinds, ['1', 'b'], ['a@x.test', 'b@x.test']],
    ['the letters of values', pairs, ['1', '#b'], ['c@x.test']],
    ['a value of two letters', pairs, ['1', 'A B'], ['a@x.test', 'b@x.test']],
    ['the number of a column', flags, ['#2', 'yes'], ['b@x.test']],
    ['a column that is a number', flags, ['2', 'a'], ['a@x.test']],
    [
      'names between commas',
      text,
      ['Status, SMS consent', 'active,"unconfirmed"', 'no'],
      ['a@x.test', 'd@x.test'],
    ],
  ])('by %s', async (_, file, typed, addresses) => {
    const { stderr, sent } = await importWith(file, [...typed, 'y']);
    expect(stderr).not.toContain('is no answer');
    expect(sent).toEqual(addresses);
  });

  test.each([
    ['true', 'true', 15],
    ['no', 'v14', 14],
    ['n', undefined, 0],
    ['y', undefined, 0],
    ['j', undefined, 0],
  ])('by the value itself: %j is no letter', async (typed, value, rows) => {
    const cells = [
      ...Array.from({ length: 14 }, (_, index) => Array(2).fill(`v${index}`)).flat(),
      ...Array(15).fill('true'),
      ...Array(14).fill('no'),
    ];
    const file = `email,ok\n${cells.map((cell, index) => `p${index}@x.test,${cell}\n`).join('')}`;
    const { stderr, sent } = await importWith(file, ['1', typed, ...(value === undefined ? [''] : ['y'])]);
    expect(sent).toHaveLength(rows);
    if (value === undefined) expect(stderr).toContain(`"${typed}" is no answer`);
  });

  test('by values with line breaks, which permit no other, and read back as they were chosen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(values, { minLength: 2, maxLength: 6, selector: plain }),
        async cells => {
          const rows = cells.flatMap((cell, index) =>
            [0, 1].map(copy => `p${index}-${copy}@x.test,"${cell.replaceAll('"', '""')}"\n`),
          );
          const file = `email,Groups\n${rows.join('')}z1@x.test,\nz2@x.test,\n`;
          const first = ['p0-0@x.test', 'p0-1@x.test'];
          const asked = await importWith(file, ['Groups', cells[0]?.replace(/\s+/g, ' '), 'y']);
          expect(asked.sent).toEqual(first);
          const [, options = ''] = /without questions: (--mailable .*)\n/.exec(asked.stderr) ?? [];
          const args = execFileSync('sh', ['-c', `printf '%s\\0' ${options}`], { encoding: 'utf8' });
          expect((await importWith(file, [], ...args.split('\0').slice(0, -1))).sent).toEqual(first);
        },
      ),
      { numRuns: 10 },
    );
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
    const others = ['--map', 'Status=company', '--dry-run', '--only-new', '--restart'];
    const { stderr } = await importWith(text, ['1', 'a'], ...others);
    expect(stderr).toContain(
      'without questions: --map "Status=company" --mailable "SMS consent=No" --restart --only-new --dry-run\n',
    );
  });

  test('by a column with up to nineteen values, and names the columns that are not listed', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => {
      const flags = Array.from({ length: 9 }, (_, at) => 'xyz'[(index + at) % 3]);
      return `p${index}@x.test,${flags},${'ja nein'.split(' ')[index % 2]},s${index % 14},v${index % 30}\n`;
    });
    const names = Array.from({ length: 9 }, (_, at) => `Group ${at}`);
    const file = `email,${names},Post,Subscription,Status code\n${rows.join('')}`;
    const { stderr } = await importWith(file, ['']);
    expect(stderr).toMatch(
      / 1 {2}Subscription {2}s0 5 \| s1 5 .* s13 4\n.* 2 {2}Status code {2}v0 2 .* \| v18 2 \| 22 others\n.* 3 {2}Post {2}ja 30 \| nein 30\n/,
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

  test.each(['0', '9', '1 9', 'a', 'yes', 'y', 'Stat', 'everybody', '1everyone', '-1'])(
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

describe('where nobody may be mailed, import', () => {
  const left = 'email,Status\na@x.test,Left\nb@x.test,Left\n';

  test('says so, and asks nothing more', async () => {
    const { code, unused, stderr, sent } = await importWith(
      left,
      ['y'],
      '--mailable',
      'Status=Left',
      '--except',
      'left',
    );
    expect({ code, unused, sent }).toEqual({ code: 0, unused: ['y'], sent: [] });
    expect(stderr).toMatch(
      /Nobody will be mailed\.\n {2}2 people whose address is in \S+left will not be mailed\n/,
    );
    expect(stderr).not.toMatch(/\? left|\[y\/N\]|Imported/);
    expect(stderr).toContain('2 not mailed');
  });

  test('of a file without rows asks nothing', async () => {
    const { code, unused, stderr } = await importWith('Kontakt,Status\n', ['1']);
    expect({ code, unused }).toEqual({ code: 0, unused: ['1'] });
    expect(stderr).toContain('Nobody will be mailed.\n');
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
