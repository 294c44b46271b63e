// Columns and values in many words: who is mailed, who is not, and what only the user knows.
import { describe, expect, test } from 'vitest';
import { identifyBody } from '../support/specified-fields.ts';
import { endedWith, everyone, sentRows, stage } from './run-cli.ts';

/** Returns who was sent: several rows are on their way at once, in any order. */
const sentBy = (staged: Awaited<ReturnType<typeof stage>>, from = 0) =>
  sentRows(staged)
    .slice(from)
    .map(({ email }) => String(email))
    .sort();
/** Imports rows of one column about consent beside the email, and returns who was sent. */
async function importColumn(name: string, values: readonly string[], ...args: string[]) {
  await using staged = await stage();
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = values.map((value, index) => `${cell(value)},p${index}@example.com`);
  const ended = await staged.importText(`${[`${cell(name)},email`, ...rows].join('\n')}\n`, ...args);
  return { ...ended, sent: sentBy(staged).map(email => Number(/\d+/.exec(email)?.[0])) };
}

describe('import decides each value of a column about consent', () => {
  test.each<[name: string, values: string[], sent: number[]]>([
    ['Marketing consent', ['no', 'yes', 'denied'], [1]],
    ['Status', ['abgemeldet', 'désinscrit', 'dado de baja', 'subscribed', 'Unsubscribed by the user'], [3]],
    ['Email Status', ['invalid', 'valid'], [1]],
    ['Email Suppressions', ["['HARD_BOUNCE']", '[]'], [1]],
    ['Invalid email address', ['true', 'false', ''], [1, 2]],
    ['is_active', ['0', '1'], [1]],
    ['isSubscribed', ['FALSE', 'TRUE'], [1]],
    ['Newsletter', ['nein', 'ja', 'Oui', 'NON', 'sí'], [1, 2, 4]],
    ['Werbeeinwilligung', ['Ja', 'Nein'], [0]],
    ['Opt-in', ['✓', '✗', '2024-01-02'], [0, 2]],
    ['Blocked', ['✓', '☐', 'x', '3', '03.04.2024', '0'], [1, 5]],
    ['Segment', ['Unsubscribed', 'subscribed'], [1]],
    ['Tags', ['vip;unsubscribed', 'subscribed'], [1]],
    ['Tags', ['vip', 'unsubscribed'], [0]],
    ['Prioridad', ['alta', 'baja'], [0, 1]],
    ['Consent withdrawn', ['yes', 'no', ''], [1, 2]],
    ['Keine Einwilligung', ['x', ''], [1]],
    ['No consent', ['true', 'false'], [1]],
    ['Accepts marketing', ['no', 'yes'], [1]],
    ['Kein Newsletter', ['ja', 'nein'], [1]],
    ['IsExcludedFromCampaigns', ['true', 'false'], [1]],
    ['IsOptInPending', ['true', 'false'], [1]],
    ['IsSpamComplaining', ['true', 'false'], [1]],
    ['Send Marketing Materials', ['Do Not Send', 'Send'], [1]],
    ['Bulk Email', ['Do Not Allow', 'Allow'], [1]],
    ['On Hold', ['Yes', ''], [1]],
    ['Suscripción cancelada a todos los correos', ['Sí', 'No'], [1]],
    ['No desea recibir correos', ['sí', 'no'], [1]],
    ['Autoriza envío de correos', ['No', 'Sí'], [1]],
    ['Ne souhaite pas être contacté', ['oui', 'non'], [1]],
    ['Ne plus envoyer', ['oui', ''], [1]],
    ['Souhaite recevoir des e-mails', ['non', 'oui'], [1]],
    ['Exclu des campagnes', ['oui', 'non'], [1]],
    ['Plaintes', ['1', '0'], [1]],
    ['Kein Kontakt erwünscht', ['x', ''], [1]],
    ['Darf kontaktiert werden', ['nein', 'ja'], [1]],
    ['Massen-E-Mail', ['Nicht zulassen', 'Zulassen'], [1]],
    ['DOI bestätigt', ['nein', 'ja'], [1]],
    ['Austragung', ['02.01.2024', ''], [1]],
    ['Receive emails', ['No', 'Yes'], [1]],
    ['I agree to receive emails', ['No', 'Yes'], [1]],
    ['Iscritto', ['No', 'Sì'], [1]],
    ['Aangemeld', ['nee', 'ja'], [1]],
    ['is_deceased', ['1', '0'], [1]],
    ['npsp__Deceased__c', ['TRUE', 'FALSE'], [1]],
    ['Date of death', ['2024-01-02', ''], [1]],
    ['Verstorben am', ['02.01.2024', ''], [1]],
    ['Décédé', ['oui', 'non'], [1]],
    ['Fallecida', ['sí', ''], [1]],
    ['Member status', ['Deceased', 'Active'], [1]],
    ["Don't email", ['yes', 'no'], [1]],
    ['Do not market', ['yes', ''], [1]],
    ["Don't Process", ['1', '0'], [1]],
    ['Forget this Individual', ['1', '0'], [1]],
    ['Not contactable', ['yes', 'no'], [1]],
    ['Marketing Suspended', ['1', '0'], [1]],
    ['Abuse complaint', ['yes', 'no'], [1]],
    ['Marked email as spam', ['true', 'false'], [1]],
    ['Is Bounceback', ['True', 'False'], [1]],
    ['Last bounce date', ['2024-01-02', ''], [1]],
    ['Reason', ['BOUNCE', 'COMPLAINT'], []],
    ['Lead Status', ['Unsubscribed', 'Do Not Contact'], []],
    ['Lead: Do Not Contact', ['1', '0'], [1]],
    ['GDPR erasure requested', ['yes', 'no'], [1]],
    ['Opt-in form', ['Refused to sign', 'on the website'], [1]],
    ['Werbestopp', ['ja', 'nein'], [1]],
    ['Non contattare', ['sì', 'no'], [1]],
    ['Niet mailen', ['ja', 'nee'], [1]],
    ['Não contatar', ['sim', 'não'], [1]],
    ['Acepta el envío de comunicaciones comerciales', ['No', 'Sí'], [1]],
    ['Ich möchte den Newsletter erhalten', ['Nein', 'Ja'], [1]],
    ['newsletter_optin', ['0', '1'], [1]],
    ['Do not contact or call', ['yes', 'no'], [1]],
    ['Newsletter', ['tak', 'nie', 'да', 'нет', 'はい', 'いいえ'], [0, 2, 4]],
  ])('%s: %j', async (name, values, sent) => {
    const ended = await importColumn(name, values, ...everyone);
    expect(ended.sent).toEqual(sent);
    expect(ended.code).toBe(0);
  });

  test.each([
    ['Status', 'Unconfirmed'],
    ['Status', '2'],
    ['Status', 'yes'],
    ['Consent', 'perhaps'],
    ['Opt-out', 'subscribed'],
    ['Estado', 'Jalisco'],
    ['Newsletter', 'weekly', 'ja'],
    ['Do not allow Bulk Emails', 'Allow', 'Do Not Allow'],
    ["Legal basis for processing contact's data", 'Not applicable'],
    ['Bounce-Typ', 'hard'],
    ['Werbung nicht gewollt', 'ja'],
    ['Opt-in not given', 'x'],
    ['Email verified', 'false'],
    ['Deliverability', 'risky', 'valid'],
    ['Subscription', 'Cancelled', 'Active'],
    ['Suscripción', 'no'],
    ['Abonnement', 'résilié', 'actif'],
    ['Datenschutz', 'nein'],
    ['Terms accepted', 'No'],
    ['AGB akzeptiert', 'nein'],
    ['Unbekannt', 'pausiert', 'abgemeldet'],
    ['Consent withdrawn', 'withdrawn'],
    ['Consent rejected', 'no', ''],
    ['Newsletter cancelled', 'yes'],
    ['Newsletter abgelehnt am', '2024-01-02'],
    ['Einwilligung zurückgezogen', 'ja'],
    ['Consentement retiré', 'oui'],
    ['Consentimiento retirado', 'sí'],
    ['Consenso revocato', 'sì'],
    ['Consent valid until', '2019-01-01'],
    ['Marketing contact until next update', 'No'],
    ['Consent on file', 'Pending', 'yes'],
    ['Consent comment', 'Withdrew by phone', 'by phone'],
    ['Newsletter', 'No thanks'],
    ['Newsletter', 'Nein, danke', 'ja'],
    ['Receive emails', 'Yes please'],
    ['Marketing', 'Not interested'],
    ['Bounce status', 'Hard'],
    ['Not unsubscribed', 'false'],
    ['Has not opted out', 'true'],
    ['Nicht gesperrt', 'nein'],
    ['Not active', 'no'],
    ['Exclude from mailing', 'yes'],
    ['Consent missing', 'no'],
    ["Won't receive newsletter", 'yes'],
    ['Einwilligung fehlt', 'nein'],
    ['Retrait du consentement', 'oui'],
    ['Consentimiento pendiente', 'sí'],
    ['Photo consent', 'no'],
    ['Contact by email', 'no'],
    ['Keine E-Mails', 'ja'],
    ['Akkoord e-mail', 'nee'],
    ['OPTINREMOVED', 'yes'],
    ['Nichteinwilligung', 'nein'],
    ['Newsletter - Nein', 'x'],
  ])('%s: %s stops it until the user answers', async (name, value, ...others) => {
    const values = [value, value, ...others];
    const asked = await importColumn(name, values, ...everyone);
    expect(asked).toMatchObject({ ...endedWith(2, `Question: column "${name}" says neither`), sent: [] });
    expect(asked.stderr).toContain(`"${value}" (2 rows): pass --opted-out "${name}=${value}"`);
    const [out, inn] = [
      ['--opted-out', `${name}=${value}`],
      ['--mailable', `${name}=${value.toUpperCase()}`],
    ];
    expect((await importColumn(name, values, ...everyone, ...out)).sent).not.toContain(0);
    expect((await importColumn(name, values, ...everyone, ...inn)).sent).toEqual(
      expect.arrayContaining([0, 1]),
    );
    expect((await importColumn(name, values, ...everyone, ...inn, ...out)).sent).not.toContain(0);
  });

  test.each([
    ['SMS consent', 'no'],
    ['Phone permission', 'denied'],
    ['Order status', 'cancelled'],
    ['Estado civil', 'soltera'],
    ['Bestellstatus', 'gesperrt'],
    ['Newsletter topics', 'sports'],
    ['WhatsApp opt-in', 'no'],
    ['Subscription', 'Pro'],
    ['Notification sound', 'ding'],
    ['Nicht-EU', 'ja'],
    ['Exclusive offers group', 'A'],
    ['Austragungsort', 'Ulm'],
    ['Bounce rate', '0.5'],
    ['Soft bounces', '2'],
    ['Mailing Street', '1 Main Street'],
    ['MailingCountry', 'NO'],
    ['Lost reason', 'No response'],
    ['Avg. basket', '20'],
    ['Email type', 'private'],
    ['State', 'Alabama'],
    ['Plan', 'active'],
    ['Terms', 'net 30'],
    ['Family', 'deceased parents'],
    ['Consent date', '3 March'],
  ])('%s is of another matter: %s sends the row', async (name, value) => {
    expect(await importColumn(name, [value], ...everyone)).toMatchObject({ code: 0, sent: [0] });
  });

  test.each([
    ['ja', '', ''],
    ['ja', '', 'nein', ''],
    ['nein', '', ''],
  ])('a box that is empty beside %s', async (...values) => {
    for (const name of ['Newsletter', 'Consent'])
      expect(await importColumn(name, values, ...everyone)).toMatchObject({
        ...endedWith(2, '"(empty)" (2 rows)'),
        sent: [],
      });
  });

  test('the empty boxes of a column, once the user has answered for them', async () => {
    const empty = 'Newsletter=(empty)';
    expect(
      (await importColumn('Newsletter', ['ja', '', ''], ...everyone, '--opted-out', empty)).sent,
    ).toEqual([0]);
    const all = await importColumn('Newsletter', ['ja', '', ''], ...everyone, '--mailable', empty);
    expect(all.sent).toEqual([0, 1, 2]);
  });

  test('whatever else a column holds beside yes and no to emails', async () => {
    for (const values of [
      ['Yes', 'No', 'Maybe'],
      ['Y', 'N', 'U'],
      ['Yes please', 'No thanks'],
    ])
      expect(await importColumn('E-Mail erlaubt?', values, ...everyone)).toMatchObject({
        ...endedWith(2, `"${values[1]}" (1 row)`),
        sent: [],
      });
  });

  test('a whole column, for which one answer is enough', async () => {
    const values = ['a', 'b', '', 'unsubscribed'];
    const all = await importColumn('Status', values, ...everyone, '--mailable', 'status=');
    expect(all.sent).toEqual([0, 1, 2]);
    const none = await importColumn(
      'Status',
      values,
      ...everyone,
      '--opted-out',
      'Status=',
      '--mailable',
      'Status=b',
    );
    expect(none.sent).toEqual([1, 2]);
  });

  test('a whole column of boxes, its empty ones too', async () => {
    const values = ['ja', '', 'nein'];
    const none = await importColumn('Newsletter', values, ...everyone, '--opted-out', 'Newsletter=');
    expect(none.sent).toEqual([]);
    const all = await importColumn('Newsletter', values, ...everyone, '--mailable', 'Newsletter=');
    expect(all.sent).toEqual([0, 1]);
  });

  test('thousands of dates or reasons of people who left mean that they left', async () => {
    const reasons = Array.from({ length: 1200 }, (_, index) => (index < 2 ? '' : `because ${index}`));
    expect((await importColumn('Opted out', reasons, ...everyone)).sent).toEqual([0, 1]);
    const dates = ['2024-01-02T03:04:05Z', '03.02.2024', ''];
    expect((await importColumn('Unsubscribed', dates, ...everyone)).sent).toEqual([2]);
  });

  const days = Array.from({ length: 1200 }, (_, index) => new Date(index * 86_400_000).toISOString());

  test('an unknown value after thousands of dates is a question, and a no is one', async () => {
    const asked = await importColumn('Opt-in', [...days, 'perhaps'], ...everyone);
    expect(asked).toMatchObject(endedWith(2, '"perhaps" (1 row)'));
    // A dry run counts whom the import would send, without 1 202 requests.
    const decided = ['--dry-run', '--mailable', 'Newsletter='];
    expect(await importColumn('Newsletter', [...days, 'nein', 'ja'], ...decided)).toMatchObject(
      endedWith(0, '1201 can be imported'),
    );
    expect(await importColumn('Newsletter', [...days, 'nein'], ...everyone)).toMatchObject(
      endedWith(2, 'and other values'),
    );
    const free = [...days, 'Unsubscribed', 'called; Hard_Bounced', 'bounced ball'];
    expect(await importColumn('Notes', free, '--dry-run')).toMatchObject(
      endedWith(0, '1200 can be imported'),
    );
  });

  test('of cells and names of a megabyte, too', async () => {
    const long = 'unsubscribed, '.repeat(70_000);
    expect((await importColumn('Status', [long, 'active'], ...everyone)).sent).toEqual([1]);
    const asked = await importColumn('Status', ['no '.repeat(300_000)], ...everyone);
    const question =
      'with values that are too long to list: pass --opted-out "Status=" or --mailable "Status="';
    expect(asked).toMatchObject(endedWith(2, question));
    expect((await importColumn(' '.repeat(900_000), ['x'], ...everyone)).sent).toEqual([0]);
  });

  test('thousands of unknown values of a status are one question', async () => {
    const values = Array.from({ length: 1200 }, (_, index) => `because ${index}`);
    const asked = await importColumn('Status', values, ...everyone);
    expect(asked).toMatchObject(endedWith(2, 'and other values'));
    expect(asked.stderr).toContain('--mailable "Status="');
  });

  test('with no question if --include-opted-out sends everybody, and with one in a dry run', async () => {
    const values = ['2', 'unsubscribed'];
    expect((await importColumn('Status', values, ...everyone, '--include-opted-out')).sent).toEqual([0, 1]);
    expect(await importColumn('Status', values, '--dry-run')).toMatchObject(
      endedWith(2, 'Question: column "Status"'),
    );
  });

  test('and says so to programs', async () => {
    const { stdout } = await importColumn('Status', ['2'], ...everyone, '--json');
    const { code, message } = JSON.parse(stdout).error;
    expect(code).toBe('confirmation');
    expect(message).toMatch(/^nothing was sent, because of 1 question .*column "Status" .*"2" \(1 row\)/);
  });

  test('and prints no value that a terminal or a shell would run', async () => {
    const asked = await importColumn('Status', ['\u001b[2J$(rm -rf ~)`x`', "it's $HOME"], ...everyone);
    expect(asked.stderr).not.toContain('\u001b');
    expect(asked.stderr).toContain("--opted-out 'Status=\ufffd[2J$(rm -rf ~)`x`'");
    expect(asked.stderr).toContain('"it\'s $HOME" (1 row)');
  });

  test('refuses answers about a column that does not exist', async () => {
    const ended = await importColumn('Status', ['2'], ...everyone, '--mailable', 'Stats=2');
    expect(ended).toMatchObject(endedWith(2, '--mailable "Stats=2": no column has that name'));
  });

  test('remembers the answers for the next run, which can change them', async () => {
    await using staged = await stage();
    const file = 'email,Status\na@example.com,1\nb@example.com,2\nc@example.com,3\n';
    const answers = ['Status=1', 'Status=2'].flatMap(text => ['--mailable', text]);
    staged.sandbox.fail('POST /contact/identify', { status: 401, times: 1 });
    const first = await staged.importText(file, ...answers, '--opted-out', 'Status=3', '--concurrency', '1');
    expect(first.code).toBe(2);
    expect(await staged.importText(file, '--opted-out', 'Status=2')).toMatchObject({ code: 0 });
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ email: 'a@example.com' }]);
    expect(await staged.importText(file, '--discard')).toMatchObject(endedWith(2, 'Question'));
  });
});

test('import reads no text of a person as a word of one who left', async () => {
  await using staged = await stage();
  const texts = Object.entries(identifyBody).flatMap(([field, type]) =>
    type === 'string' ? field.replace('?', '') : [],
  );
  staged.write('people.csv', `email,${texts.join()}\nada@x.test${',unsubscribed'.repeat(texts.length)}\n`);
  expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject({ code: 0 });
  expect(sentBy(staged)).toEqual(['ada@x.test']);
});
