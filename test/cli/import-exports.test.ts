// Files as services export them, in several languages: what a person has to say, and who is sent then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endedWith, importAll, importRows, mailable, survey } from './run-cli.ts';

/** An export, with the columns that say who may be mailed and the values that mean yes; what else a person has to say. */
type Service = [file: string, rules: string[], others?: string[]];

const services: readonly Service[] = [
  ['activecampaign.csv', ['Status=Active', 'Bounced Hard=0']],
  ['brevo.csv', ['EMAIL_BLACKLISTED=false', 'DOUBLE_OPT-IN=Yes', 'OPT_IN=true']],
  [
    'constant-contact.csv',
    ['Email status=Active', 'Email permission status=Express,Implied', 'Confirmed Opt-Out Source=(empty)'],
  ],
  [
    'crm.csv',
    ['is_active=1', 'GDPR consent=true', 'Consent=yes', 'Email permission=Yes', 'Customer group=A'],
  ],
  ['french.csv', ['Statut=Abonné,Inscrit', 'Consentement RGPD=Oui', 'Désinscrit le=(empty)']],
  [
    'german.csv',
    ['Status=angemeldet,Aktiv', 'Einwilligung=Ja,erteilt', 'Newsletter=ja,x', 'Gesperrt=(empty),Nein'],
  ],
  [
    'hubspot.csv',
    [
      'Marketing contact status=Marketing contact',
      'Unsubscribed from all email=No,(empty)',
      'Opted out of email: Newsletter=No,(empty)',
      'Invalid email address=No,(empty)',
      'Email hard bounce reason=(empty)',
      'Email Confirmation Status=(empty)',
    ],
  ],
  [
    'klaviyo.csv',
    ['Email Marketing Consent=SUBSCRIBED', 'Email Suppressions=[]'],
    ['--ignore-words-in', 'SMS Marketing Consent'],
  ],
  ['mailchimp.csv', ['Email Marketing Status=Subscribed'], ['--ignore-words-in', 'SMS Marketing Status']],
  ['mailerlite.csv', ['Status=Active'], ['--map', 'Subscriber=email']],
  ['spanish.csv', ['Estado=Suscrito,activo', 'Consentimiento=Sí,si', 'Boletín=sí']],
];

/** Exports in which no cell says plainly that a person left. */
const withoutPlainWords = ['brevo', 'hubspot'];

describe.each(services)('import of %s', (file, rules, others = []) => {
  const text = readFileSync(join(import.meta.dirname, 'exports', file), 'utf8');

  test('says once all that is open, and shows each column that says who may be mailed', async () => {
    const { stdout } = await survey(text, '--json');
    const { survey: found, open } = JSON.parse(stdout).error;
    const names = rules.map(rule => rule.replace(/=[^=]*$/, ''));
    const shown = found.columns.filter((column: { readonly values?: object }) => column.values);
    expect(shown.map(({ name }: { readonly name: string }) => name)).toEqual(expect.arrayContaining(names));
    expect(open).toHaveLength(others.includes('--map') ? 2 : 1);
  });

  test('sends with one more command whoever said yes, and nobody else', async () => {
    const { code, stdout, sent } = await importRows(text, ...mailable(...rules), ...others, '--json');
    expect(code).toBe(0);
    expect(sent).toEqual(text.match(/in\d@example\.com/g));
    const report = JSON.parse(stdout);
    expect(report.sent + report.leftOut).toBe(report.rows);
  });

  test('does not send it by another column alone if it says plainly that people left', async () => {
    const ended = await importAll(text, ...others);
    const saysPlainly = !withoutPlainWords.includes(file.replace('.csv', ''));
    if (saysPlainly) expect(ended).toMatchObject(endedWith(2, /to be sent: column ".*" is "/));
    else expect(ended.code).toBe(0);
  });
});
