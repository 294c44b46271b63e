import { unprotect } from '../csv.ts';
import { plainName, reasonColumn } from '../fields.ts';

/**
 * Columns that say who opted out, as {@link plainName} returns them: our own, and those of Mailchimp (UNSUB_TIME,
 * CLEAN_TIME), Brevo (EMAIL_BLACKLISTED) and HubSpot (Unsubscribed from all email, Email hard bounce reason).
 */
const optOutNames = [
  /unsub|opt(?:ed)?out|(?:black|block)list|donot(?:e?mail|contact)|abgemeldet|abbestellt|desabonn|desinscri/,
  /^(?:is|has|hs|email|mail|address)*(?:hard)?(?:bounced?|spam|blocked|dropped|clean(?:ed|time)|complain(?:ed|t)|suppressed|quarantined?|badaddress)(?:at|on|time|date|reason|enum)*$/,
];
/** Columns about something else: another channel, or how to opt out. */
const otherNames = /sms|whatsapp|phone|link|url|token/;
/** Columns that say who opted in. */
const optInNames =
  /^(?:is|has|email|mail|newsletter)*(?:subscribed|opt(?:ed)?in|accepts(?:e?mail)?marketing)$/;
const statusNames =
  /^(?:e?mail|subscri(?:ption|ber)|member|contact|marketing|newsletter)*(?:status|marketingconsent)$/;

/** Cells of an opt-out column that mean no. Any other one, such as a date or a reason, means yes. */
const no =
  /^(?:false|f|no?|off|none|null|nan|undefined|n\/?a|never|nein|non|nee|falsch|faux|[\s0.,:;/"'[\]{}–—-]*)$/i;
/** Cells of an opt-in column that mean no. An empty one means nothing. */
const notIn = /^(?:false|f|no?|off|0|never|nein|non|nee|falsch|faux)$/i;
const optedOutStatus =
  /^(?:un|non|never)[\s_-]?subscribed?|^(?:opted[\s_-]?out|cleaned|(?:hard[\s_-]?)?bounced?|complain|spam|junk|abuse|blacklist|blocklist|blocked|dropped|suppressed)/i;

/** Names of Mailchimp's files of people who cannot be mailed, whatever their rows say. */
const optedOutFile = /^(?:unsubscribed|nonsubscribed|cleaned)(?![a-z])/i;

/** Start of the reason of a skipped row. */
const skipped = 'opted out, as ';

/** Returns a function that detects opt-outs in the cells of a column; `undefined` for other columns. */
function readerOf(column: string): ((cell: string) => boolean) | undefined {
  if (column === reasonColumn) return cell => cell.startsWith(skipped);
  const name = plainName(column);
  if (otherNames.test(name)) return undefined;
  if (optInNames.test(name)) return cell => notIn.test(cell);
  if (optOutNames.some(names => names.test(name))) return cell => !no.test(cell);
  return statusNames.test(name) ? cell => optedOutStatus.test(cell) : undefined;
}

export const isOptOutColumn = (column: string): boolean =>
  column !== reasonColumn && readerOf(column) !== undefined;

/** Returns a function that returns why a row is skipped: its cells, or the name of the file, say that the person opted out. */
export function optOutReader(
  columns: readonly string[],
  fileName: string,
): (cells: readonly string[]) => string | undefined {
  if (optedOutFile.test(fileName)) return () => `${skipped}the name of the file says`;
  const readers = columns.flatMap((column, index) => {
    const saysYes = readerOf(column);
    return saysYes === undefined ? [] : { index, saysYes, reason: `${skipped}column "${column}" says` };
  });
  return cells => readers.find(({ index, saysYes }) => saysYes(unprotect(cells[index] ?? '').trim()))?.reason;
}
