// Files in the words of other services. The address of a row says whether it may be mailed: `in`, `out`, or `ask`, if
// only the user knows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, sentRows, stage } from './run-cli.ts';

/** Returns who was sent: several rows are on their way at once, in any order. */
const sentBy = (staged: Awaited<ReturnType<typeof stage>>, from = 0) =>
  sentRows(staged)
    .slice(from)
    .map(({ email }) => String(email))
    .sort();
const addressesOf = (text: string, kind: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${kind}\\d@example\\.com`, 'g'))].map(([address]) => address);

/** The questions about each file, as `COLUMN=VALUE`. */
const files: Readonly<Record<string, readonly string[]>> = {
  'activecampaign.csv': ['Status=Unconfirmed', 'Status=2'],
  'brevo.csv': ['DOUBLE_OPT-IN=2'],
  'cleverreach.csv': ['Aktiv=unklar'],
  'constant-contact.csv': ['Email status=Temporary hold', 'Email permission status=Pending confirmation'],
  'convertkit.csv': ['status=cancelled', 'status=inactive'],
  'crm.csv': ['Customer group=A'],
  'french.csv': ['Statut=En pause'],
  'german.csv': ['Status=in Prüfung'],
  'hubspot.csv': ['Email Confirmation Status=Awaiting'],
  'hubspot-german.csv': ['Status des Marketingkontakts=In Prüfung'],
  'klaviyo.csv': ["Email Suppressions=['SOMETHING_NEW']"],
  'mailchimp.csv': ['Email Marketing Status=Pending'],
  'mailjet.csv': ['status=paused'],
  'mailerlite.csv': ['Status=Unconfirmed'],
  'shopify.csv': ['Accepts Email Marketing=redacted?'],
  'spanish.csv': ['Estado=Pendiente'],
};
const tags = ['--tag-separator', ','];

describe('import asks about each value that it does not know in an export of', () => {
  test.each(Object.entries(files))('%s, and sends nobody who said no', async (name, asked) => {
    await using staged = await stage();
    const text = readFileSync(join(import.meta.dirname, 'exports', name), 'utf8');
    staged.write(name, text);
    const stopped = await staged.run('import', name, ...everyone, ...tags);
    expect(stopped).toMatchObject(endedWith(2, /nothing was sent, because of \d question/));
    expect(sentRows(staged)).toEqual([]);
    const questions = stopped.stderr.split('\n').filter(line => line.includes('Question: '));
    const columns = new Set(asked.map(text => text.split('=')[0]));
    expect(questions.map(line => /column "(.*?)"/.exec(line)?.[1])).toEqual([...columns]);
    for (const answer of asked) expect(questions.join()).toContain(`"${answer.split('=')[1]}" (`);
    const refused = await staged.run(
      'import',
      name,
      ...everyone,
      '--json',
      ...tags,
      ...asked.flatMap(text => ['--opted-out', text]),
    );
    const isAll = name === 'crm.csv';
    expect(sentBy(staged)).toEqual(isAll ? [] : addressesOf(text, 'in'));
    const before = sentRows(staged).length;
    expect(JSON.parse(refused.stdout)).toMatchObject({ rejected: 0, pending: 0 });
    await staged.run(
      'import',
      name,
      ...everyone,
      '--discard',
      ...tags,
      ...asked.flatMap(text => ['--mailable', text]),
    );
    const expected = [...addressesOf(text, 'in'), ...addressesOf(text, 'ask')];
    expect(sentBy(staged, before)).toEqual(expected.sort());
  });
});
