// Only the person permits: a file in which nothing says who may be mailed is not sent.
import { expect, test } from 'vitest';
import { endedWith, everyone, sentRows, stage } from './run-cli.ts';

/** Imports a file with `--yes`, and returns who was sent. */
async function importRows(text: string, ...args: string[]) {
  await using staged = await stage();
  staged.write('people.csv', text);
  const ended = await staged.run('import', 'people.csv', '--yes', ...args);
  return { ...ended, sent: sentRows(staged).map(({ email }) => String(email)) };
}

test.each([
  'email\nada@example.com\n',
  'email,Newsletter delivery\nada@example.com,cancelled\n',
  'email,Samtykke\nada@example.com,nei\n',
])('does not send %j before the user says who may be mailed', async text => {
  expect(await importRows(text)).toMatchObject({ ...endedWith(2, '--mailable everyone'), sent: [] });
  expect(await importRows(text, ...everyone)).toMatchObject({ code: 0, sent: ['ada@example.com'] });
});

test.each([
  ['Unsubscribed via link', 'TRUE', 'FALSE'],
  ['Opted out at checkout', 'yes', 'no'],
  ['Unsubscribed in ticket', 'yes', ''],
  ['Order opt-out', 'yes', 'no'],
  ['Mobile opt-out', '1', '0'],
  ['VIP opted out', 'yes', 'no'],
])('a column "%s" says who left', async (name, yes, no) => {
  const text = `email,${name}\nout@example.com,${yes}\nin@example.com,${no}\n`;
  expect(await importRows(text, ...everyone)).toMatchObject({ code: 0, sent: ['in@example.com'] });
});

test('--mailable "COLUMN=" does not permit values that plainly say no', async () => {
  const text = 'email,Status\nout@example.com,Unsubscribed\nin@example.com,Unconfirmed\n';
  expect(await importRows(text, '--mailable', 'Status=')).toMatchObject({ sent: ['in@example.com'] });
  const box = 'email,Newsletter\nout@example.com,no\nin@example.com,perhaps\n';
  expect(await importRows(box, '--mailable', 'Newsletter=')).toMatchObject({ sent: ['in@example.com'] });
});
