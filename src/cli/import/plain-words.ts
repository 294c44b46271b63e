import { plainName } from '../field-names.ts';

/** What people who left are called, in the commonest languages. As a cell or one of its values, they stop an import. */
const words =
  'unsubscribed,unsubscribe,bounced,hard bounce,hard bounced,cleaned,opted out,opt out,do not mail,do not email,' +
  'do not contact,complained,spam complaint,suppressed,blocked,blacklisted,blocklisted,abgemeldet,abbestellt,gesperrt,' +
  'widerrufen,nicht anschreiben,désabonné,désabonnée,désinscrit,désinscrite,ne pas contacter,dado de baja,desuscrito,' +
  'no contactar,disiscritto,uitgeschreven,afgemeld,descadastrado,wypisany,wypisana,nie wysyłać,配信停止,退会';

const list = words.split(',');
const plainWords = new Set(list.map(plainName));
const maxLength = 30;
/** First letters of such values: every cell is compared, so that must be quick. */
const initials = new Set(list.map(word => word[0]));

/** Returns whether a value plainly says that the person left. */
export function saysLeft(value: string): boolean {
  // Databases fill cells with spaces up to the width of their column.
  const text = value.trim();
  if (text.length > maxLength) return false;
  const [initial] = /\p{L}/u.exec(text) ?? [];
  return initials.has(initial?.toLowerCase()) && plainWords.has(plainName(text));
}
