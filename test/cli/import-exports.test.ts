// Files as ten services and four languages export them: what a person has to say, and who is sent then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endedWith, sentRows, stage } from './run-cli.ts';

/** An export, with the columns that say who may be mailed and the values that mean yes; what else a person has to say. */
type Service = readonly [file: string, rules: readonly string[], others?: readonly string[]];

const services: readonly Service[] = [
  ['activecampaign.csv', ['Status=Active', 'Bounced Hard=0'], ['--tag-separator', ',']],
  ['brevo.csv', ['EMAIL_BLACKLISTED=false', 'DOUBLE_OPT-IN=Yes', 'OPT_IN=true']],
  ['cleverreach.csv', ['Aktiv=ja', 'Gesperrt=nein']],
  [
    'constant-contact.csv',
    ['Email status=Active', 'Email permission status=Express,Implied', 'Confirmed Opt-Out Source=(empty)'],
  ],
  ['convertkit.csv', ['status=active']],
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
    'hubspot-german.csv',
    [
      'Status des Marketingkontakts=Marketingkontakt',
      'Von allen E-Mails abgemeldet=Nein',
      'Abgemeldet von E-Mail: Newsletter=(empty)',
      'Ungültige E-Mail-Adresse=(empty),Nein',
      'Grund für Hard Bounce der E-Mail=(empty)',
    ],
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
  [
    'mailjet.csv',
    [
      'is_excluded_from_campaigns=false',
      'is_optin_pending=false',
      'is_spam_complaining=false',
      'unsub=false',
      'status=active',
    ],
  ],
  ['shopify.csv', ['Accepts Email Marketing=yes'], ['--tag-separator', ',']],
  ['spanish.csv', ['Estado=Suscrito,activo', 'Consentimiento=Sí,si', 'Boletín=sí']],
];

/** Exports in which no cell says plainly that a person left. */
const withoutPlainWords = ['brevo', 'cleverreach', 'hubspot', 'hubspot-german', 'mailjet', 'shopify'];

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, 'exports', file), 'utf8');

describe.each<{
  readonly file: string;
  readonly rules: readonly string[];
  readonly others: readonly string[];
}>(services.map(([file, rules, others = []]) => ({ file, rules, others })))(
  'import of $file',
  ({ file, rules, others }) => {
    const mailable = rules.flatMap(rule => ['--mailable', rule]);

    test('asks once for all, and offers each column that says who may be mailed', async () => {
      await using staged = await stage();
      staged.write(file, textOf(file));
      const asked = await staged.run('import', file, '--yes', '--json');
      const { error } = JSON.parse(asked.stdout);
      const audience = error.questions.at(-1);
      const offered = audience.answers.map(({ column }: { readonly column: string }) => column);
      expect(offered).toEqual(expect.arrayContaining(rules.map(rule => rule.replace(/=[^=]*$/, ''))));
      expect(error.questions).toHaveLength(1 + others.length / 2);
      expect(staged.sandbox.requests.count()).toBe(0);
    });

    test('sends with one more command whoever said yes, and nobody else', async () => {
      await using staged = await stage();
      staged.write(file, textOf(file));
      const ended = await staged.run('import', file, '--yes', ...mailable, ...others, '--json');
      expect(ended.code).toBe(0);
      const yes = textOf(file).match(/in\d@example\.com/g);
      expect(
        sentRows(staged)
          .map(({ email }) => email)
          .sort(),
      ).toEqual(yes);
      const { rows, sent, notMailed } = JSON.parse(ended.stdout);
      expect(sent + notMailed).toBe(rows);
    });

    test('does not send it with everyone alone if it says plainly that people left', async () => {
      await using staged = await stage();
      staged.write(file, textOf(file));
      const ended = await staged.run('import', file, '--yes', '--mailable', 'everyone', ...others);
      const saysPlainly = !withoutPlainWords.includes(file.replace('.csv', ''));
      if (saysPlainly) expect(ended).toMatchObject(endedWith(2, /to be sent: column ".*" is "/));
      else expect(ended.code).toBe(0);
    });
  },
);
