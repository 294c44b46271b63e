// Finds a clear no in a row with yes. This can only reject rows, never allow them.
import { unprotect, visible } from '../csv.ts';
import { plainName } from '../fields.ts';

/** Parts of column headings about people who left, in the form that `plainName` returns. */
const leaving = new RegExp(
  [
    'unsub|opt(?:ed)?out|donot(?:e?mail|contact|send|want|wish)|suppress|bl[ao]cklist|blocked|(?<!emails)bounce|cleaned|cleantime',
    'complain|spam|quarantine|onhold|emaildisabled|deletedat|deceased|withdrawn|revoked|abgemeldet|abmeld|abbestell|gesperrt',
    'werbesperre|widerruf|widerspr[ou]ch|keinee?mail|keinewerbung|austritt|verstorben|desinscri|desabonn|nepascontacter|decede',
    '^baja|(?:de|fecha)baja|desuscri|nocontactar|noenviar|bloquead[oa]|disiscri|descadastr|afgemeld|afmeld|uitgeschreven|wypisan|rezygnacj',
    '^dropped|avregistrer|avprenumer|afmeldt|配信停止|退会|メール不要',
  ].join('|'),
);

/** Parts of headings about people who get email. */
const joining = new RegExp(
  'newsletter|subscribed|optin|consent|accepts?(?:e?mail|market)|mailing|permission|preference|weemail|gdpr|dsgvo|rgpd|' +
    'einwilligung|zustimmung|werbung|abonne|accord|infolettre|boletin|suscrit|acepta|aceita|consens|toestemming|nieuwsbrief|zgoda|' +
    'nyhe[td]sbrev|メルマガ|配信',
);

/** Parts of headings about other ways to reach people: these columns are not about email. */
const otherWays = /sms|whatsapp|phone|telefon|fax|push|donotcall|perpost|bypost|postal/;

/** Words for no, without accents. */
const no = 'no|n|false|f|0|nein|nie|falsch|non|faux|nee|nej|nei|falso|nao|ei|never|いいえ|不要|希望しない';
/** Cells that are not a no under a heading about people who left. */
const nothing = new RegExp(`^(?:[-\u2013\u2014.[\\]{}"'0:/\\s\u2610]*|${no}|none|null|n/a)$`);
/** Cells that contain a refusal, such as `No, thanks`. */
const refusing = new RegExp(`^(?:${no}|none|off|\u2717|\u2718|\u274c)(?![\\p{L}\\p{N}/]).{0,20}$`, 'u');

/** Phrases that mean no in a short cell under any heading. */
const clear = [
  'unsub(?:scribed?)?|opt(?:ed)? ?out|do(?: not|n t|nt) (?:(?:e ?)?mail|contact|send)|not (?:want|wish) to receive|no more (?:e ?)?mails?',
  'no (?:e ?mails|mail please|newsletters?|mailings?|marketing|consent)|stop (?:sending|(?:e ?)?mail(?:s|ing))|(?:take|remove) (?:me|us)|blacklisted',
  'blocklisted|hard ?bounced?|spam complaint|(?:non|not|never) ?subscribed|user suppressed|abgemeldet|abbestellt|nichts mehr horen',
  'keine? (?:weiteren? )?(?:werbung|(?:e ?)?mails?|newsletter)|nicht (?:mehr )?(?:anschreiben|angeschrieben|kontaktieren)',
  'desinscrite?|desabonnee?|ne (?:pas|plus) (?:contacter|envoyer|recevoir)|ne (?:souhaite|veut) (?:pas|plus)|(?:plus de|pas de) (?:(?:e ?)?mails?|newsletter)',
  'de baja|desuscrit[oa]|no (?:contactar|enviar)|disiscritt[oa]|descadastrad[oa]|afgemeld|uitgeschreven|wypisan[ya]',
  'rezygnacja|配信停止|退会|メール不要',
].join('|');
/** Ambiguous words, which count only as the whole cell, perhaps with a date. */
const whole =
  'bounced|cleaned|complained|suppressed|blocked|spam|junk|abuse|invalid|deceased|gesperrt|widerrufen|ausgetragen|baja|bloquead[oa]|bloque|geblokkeerd|undeliverable|unzustellbar|ungultig|invalide|verstorben|decedee?|abmeldung|widerspruch|widerruf';
const plainWords = new RegExp(
  `(?<!\\p{L})(?:${clear})(?![a-z])|^(?:${whole})(?: (?:on|am|le|el|il|op)\\b.*| ?\\d.*)?$`,
  'u',
);
/** Longer text is a letter or message, whose footer may contain such words, or a list of tags. */
const maxLength = 100;
const maxTagLength = 20;

/** Returns text in lower case, without accents. */
const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

const saysNo = (text: string): boolean =>
  text.length <= maxLength &&
  plainWords.test(
    withoutAccents(text)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );

/** Returns a function that returns the text of a cell if it contains a no; `undefined` for a column that is not about email. */
export function noReader(heading: string): ((cell: string) => string | undefined) | undefined {
  const name = plainName(heading);
  if (otherWays.test(name) && !name.includes('mail')) return undefined;
  const isLeaving = leaving.test(name);
  const isJoining = !isLeaving && joining.test(name);
  const isNo = (text: string) =>
    (isLeaving && !nothing.test(withoutAccents(text))) ||
    (isJoining && refusing.test(withoutAccents(text))) ||
    saysNo(text);
  return cell => {
    if (cell === '') return undefined;
    const text = visible(unprotect(cell));
    // Each tag counts.
    const parts = text.split(/[,;|]/).filter(part => text.length <= maxLength || part.length <= maxTagLength);
    return [text, ...parts].some(isNo) ? text : undefined;
  };
}
