import { plainName } from '../field-names.ts';

/** What people who left are called, in the commonest languages. As a cell or one of its values, they stop an import. */
const words =
  'unsubscribed,unsubscribe,bounced,hard bounce,hard bounced,cleaned,opted out,opt out,do not mail,do not email,' +
  'do not contact,complained,spam complaint,suppressed,blocked,blacklisted,blocklisted,abgemeldet,abbestellt,gesperrt,' +
  'widerrufen,nicht anschreiben,keine werbung,keine mails,keine mails mehr,keine emails,keine emails mehr,no emails,' +
  'no more emails,désabonné,désabonnée,désinscrit,désinscrite,ne pas contacter,' +
  'ne plus contacter,désabonnement,dado de baja,baja,desuscrito,no contactar,no enviar,disiscritto,uitgeschreven,afgemeld,descadastrado,' +
  'wypisany,wypisana,rezygnacja,nie wysyłać,配信停止,退会,メール不要';

/** What says no in a column that also has such a word. Elsewhere, it is about anything: it is only offered. */
const otherNoes =
  'non-subscribed,not subscribed,never subscribed,no,not,nein,non,nie,não,nej,いいえ,false,pending,unconfirmed,inactive,inaktiv';

const list = words.split(',');
const plainWords = new Set(list.map(plainName));
const otherWords = new Set(otherNoes.split(',').map(plainName));
/** What precedes the date that often follows such a word, as in `abgemeldet am 3.4.2023`. */
const beforeDate = /^(\D+)\d[\d\s./:-]*\)?$/;
const preposition = / (?:on|am|le|el)$/;
const maxLength = 40;
/** How such values begin: every cell is compared, so that must be quick. */
const starts = list.flatMap(word => [word.slice(0, 2), word.normalize('NFD').slice(0, 2)]);
const start = new RegExp(`^\\P{L}*(?:${[...new Set(starts)].join('|')})`, 'iu');

/** Returns whether a value plainly says that the person left. */
export function saysLeft(value: string): boolean {
  if (!start.test(value)) return false;
  // Databases fill cells with spaces up to the width of their column.
  const text = value.trim();
  if (text.length > maxLength) return false;
  const [, word = text] = beforeDate.exec(text) ?? [];
  return plainWords.has(plainName(word.replace('(', '').trim().replace(preposition, '')));
}

/** Returns whether a value may say so, too, if another value of its column does. */
export const maySayLeft = (value: string): boolean => saysLeft(value) || otherWords.has(plainName(value));
