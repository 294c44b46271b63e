// Files as services export them, in several languages: what a person has to say, and who is sent then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endedWith, importRows, mailable } from './run-cli.ts';

/** An export, with the columns that say who may be mailed and the values that mean yes; what else a person has to say. */
type Service = [file: string, rules: string[], others?: string[]];

const services: readonly Service[] = [
  ['activecampaign.csv', ['Status=Active', 'Bounced Hard=0'], ['--tag-separator', ',']],
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
    ['Email Marketing Consent=SUBSCRIBED', 'Email Suppressions=[]', 'SMS Marketing Consent=(any)'],
  ],
  ['mailchimp.csv', ['Email Marketing Status=Subscribed', 'SMS Marketing Status=(any)']],
  ['mailerlite.csv', ['Status=Active'], ['--map', 'Subscriber=email']],
  ['spanish.csv', ['Estado=Suscrito,activo', 'Consentimiento=Sí,si', 'Boletín=sí']],
];

/** Exports in which no cell says plainly that a person left. */
const withoutPlainWords = ['brevo', 'hubspot'];

describe.each(services)('import of %s', (file, rules, others = []) => {
  const text = readFileSync(join(import.meta.dirname, 'exports', file), 'utf8');

  test('asks once for all, and offers each column that says who may be mailed', async () => {
    const { stdout, sent } = await importRows(text, '--json');
    const { questions } = JSON.parse(stdout).error;
    const offered = questions.at(-1).answers.map(({ column }: { readonly column: string }) => column);
    expect(offered).toEqual(expect.arrayContaining(rules.map(rule => rule.replace(/=[^=]*$/, ''))));
    expect(questions).toHaveLength(1 + others.length / 2);
    expect(sent).toEqual([]);
  });

  test('sends with one more command whoever said yes, and nobody else', async () => {
    const { code, stdout, sent } = await importRows(text, ...mailable(...rules), ...others, '--json');
    expect(code).toBe(0);
    expect(sent).toEqual(text.match(/in\d@example\.com/g));
    const report = JSON.parse(stdout);
    expect(report.sent + report.notMailed).toBe(report.rows);
  });

  test('does not send it with everyone alone if it says plainly that people left', async () => {
    const ended = await importRows(text, ...mailable('everyone'), ...others);
    const saysPlainly = !withoutPlainWords.includes(file.replace('.csv', ''));
    if (saysPlainly) expect(ended).toMatchObject(endedWith(2, /to be sent: column ".*" is "/));
    else expect(ended.code).toBe(0);
  });
});
