// What the command cannot know is said before the confirmation: it may be a no.
import { expect, test } from 'vitest';
import { endedWith, everyone, importRows, mailable, stage, survey, unless } from './run-cli.ts';

const people = (cells: (index: number) => string, count = 40) =>
  Array.from({ length: count }, (_, index) => `p${index}@x.test,${cells(index)}\n`).join('');

test('columns in own words, and those for which there is no line, are named with their rows', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `Group ${index}`);
  const rows = people(index => {
    const note = index < 13 ? `Call number ${index} back` : '';
    return `Active,${names.map(() => index % 2)},${index === 9 ? 'möchte keine E-Mails' : note},no. ${index}`;
  });
  const text = `email,Status,${names},Bemerkung,Id\n${rows}`;
  const { stderr } = await survey(text, ...mailable('Status=Active'));
  expect(stderr).toContain('Columns that were not read, and can say no:\n');
  expect(stderr).toContain('  Look there first. --except FILE keeps out whose addresses are in a file.\n');
  expect(stderr).toContain('  Bemerkung (13 rows, such as "möchte keine E-Mails"), Group 10 (40 rows)\n');
  const table = stderr.match(/^ {2}Group \d+: . 20 \/ 0 \| . 20 \/ 0$/gm) ?? [];
  expect(table).toHaveLength(10);
  const few = 'email,ok,Note\na@x.test,1,left\nb@x.test,1,Please never write to me\n';
  const pasted = await survey(few, ...mailable('ok=1'), ...unless('Note=left'));
  expect(pasted.stderr).toContain('  Note (2 rows)\n');
  const logged = await importRows(text, ...mailable('Status=Active'));
  expect(logged.stderr).toMatch(/ Bemerkung \(13 rows\), /);
  expect(logged.stderr).not.toContain('möchte');
});

test('all values of a column are shown, in ten lines at most', async () => {
  const reason = (index: number) => `${index % 12}. ${'Long reason '.repeat(3)}`;
  const rows = people(index => `${index % 2},${reason(index)},${reason(index + 1)},${reason(index + 2)}`);
  const { stderr } = await survey(`email,ok,A,B,C\n${rows}`, ...mailable('ok=1'));
  const [, table = ''] = /by column and value:\n([\s\S]*?)\n\S/.exec(stderr) ?? [];
  expect(table).toMatch(/^ {2}ok: 0 0 \/ 20 \| 1 20 \/ 0\n {2}A: 0\. Long reason/);
  expect(table.split('\n').length).toBeLessThanOrEqual(10);
  expect(table.match(/Long reason Lo?\.\.\. \d \/ \d/g)).toHaveLength(12);
  expect(stderr).toMatch(/and can say no:\n {2}A \(40 rows\), B \(40 rows\), C \(40 rows\)/);
});

test('other words that say no are offered beside a plain one, and what was said is not offered again', async () => {
  const text =
    'email,News,VIP\na@x.test,abgemeldet,nein\nb@x.test,nein,nein\nc@x.test,ja,ja\nd@x.test,Non-Subscribed,\n';
  const first = await survey(text);
  expect(first.stderr).toContain('  Who may be mailed?');
  expect(first.stderr).toContain('--unless "News=abgemeldet,nein,Non-Subscribed"   (they stay out)\n');
  expect(first.stderr).not.toContain('VIP=nein');
  const second = await survey(text, ...unless('News=abgemeldet,nein'));
  expect(second.stderr).toContain('2 rows will stay out, by what is said so far.\n');
  expect(second.stderr).toContain('Who of the others may be mailed? --mailable is missing.');
  expect(second.stderr).not.toContain('abgemeldet,');
});

test('tags in quotes, as Mailchimp writes them, are the same as without', async () => {
  const text =
    'email,TAGS,ok\na@x.test,"""No mail""",1\nb@x.test,"""vip"",""No mail""",1\nc@x.test,"""vip""",1\n';
  const { stderr } = await survey(text);
  expect(stderr).toContain('  TAGS: "No mail" 2 | "vip" 2\n');
  expect((await importRows(text, ...mailable('ok=1'), ...unless('Tags=no mail'))).sent).toEqual(['c@x.test']);
});

test('addresses without a dot after the @ go, and are said', async () => {
  const text = 'email,ok\nvic@home,1\na@x.test,1\nuno@home,0\n';
  const { stderr } = await survey(text, ...mailable('ok=1'));
  expect(stderr).toContain('1 row with no dot after the @ in the address, such as "vic@home", will go\n');
});

test('values of the column mailable that do not count are said', async () => {
  const text = `email,mailable\n${people(index => ['yes', 'ja', '', '1', 'no'][index % 5] ?? '')}`;
  const { stderr } = await survey(text);
  expect(stderr).toContain('  16 rows with other values in mailable, where only yes counts: ja (8), 1 (8)\n');
  expect((await importRows(text)).stderr).toContain(
    '  16 rows with other values in mailable, where only yes counts\n',
  );
  expect((await survey(text, ...mailable('mailable=ja'))).stderr).not.toContain('only yes counts');
});

test('a value with a comma can be written as it is, if no row has a part of it', async () => {
  const text = 'email,ok\na@x.test,"Yes, please"\nb@x.test,No\n';
  expect((await importRows(text, ...mailable('ok=yes, please'))).sent).toEqual(['a@x.test']);
  const both = `${text}c@x.test,Yes\n`;
  expect((await importRows(both, ...mailable('ok=yes, please'))).sent).toEqual(['c@x.test']);
  expect((await importRows(both, ...mailable('ok="yes, please"'))).sent).toEqual(['a@x.test']);
});

test('our own file of people who stay out can be passed to --except, whatever its other columns hold', async () => {
  await using staged = await stage();
  const text = 'email,Note,ok\na@x.test,@bakery.test,no\nb@x.test,*,no\nnobody,,yes\n';
  staged.write('people.csv', text);
  await staged.run('import', 'people.csv', '--yes', ...mailable('ok=yes'));
  staged.write('new.csv', 'email,agreed\na@x.test\nc@x.test\n');
  const ended = await staged.run('import', 'new.csv', ...everyone, '--except', 'people.csv.left-out.csv');
  expect(ended).toMatchObject(
    endedWith(0, 'people.csv.left-out.csv has 2 addresses, and 1 line without one\n'),
  );
  expect(staged.sandbox.state.contacts.named('a@x.test')).toBeUndefined();
});
