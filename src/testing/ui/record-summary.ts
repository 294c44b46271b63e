import type { RecordView } from '../server/protocol.ts';
import { unixTime } from './format.ts';

/** Texts that show a record in a list. */
export interface RecordSummary {
  readonly title: string;
  readonly detail: string;
  readonly badges: readonly string[];
}

/** Returns how a record is shown in a list. */
export function recordSummary(
  kind: string,
  record: RecordView,
  names: Readonly<Record<string, string>>,
): RecordSummary {
  const text = (field: string) => (typeof record[field] === 'string' ? (record[field] as string) : '');
  const title =
    { contacts: text('email'), tagChanges: `${text('change')} ${text('tag')}` }[kind] ?? text('name');
  return { title, detail: detailOf(kind, record, names, text), badges: badgesOf(record, text) };
}

function detailOf(
  kind: string,
  record: RecordView,
  names: Readonly<Record<string, string>>,
  text: (field: string) => string,
): string {
  const named = (ids: unknown) => (Array.isArray(ids) ? ids.map(id => names[id] ?? id) : []);
  const parts: Readonly<Record<string, () => readonly string[]>> = {
    contacts: () => [
      `${text('firstName')} ${text('lastName')}`.trim(),
      text('company'),
      named(record.tags)
        .map(tag => `#${tag}`)
        .join(' '),
      named(record.lists).join(', '),
    ],
    events: () => [text('identifier'), unixTime(Number(record.time)), pairs(record.data)],
    senders: () => [text('email')],
    customFields: () => [`type ${text('type')}`],
    tagChanges: () => [text('contact')],
    campaigns: () => [text('template') === '' ? '' : `template ${text('template')}`, record.id],
  };
  return (parts[kind] ?? (() => [record.id]))()
    .filter(part => part !== '')
    .join(' · ');
}

function pairs(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  return Object.entries(data)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** Fields that are shown as badges when they are true. */
const flags = [
  'unsubscribed',
  'bounced',
  'spam',
  'blocked',
  'dropped',
  'system',
  'shared',
  'deleted',
  'verified',
];

function badgesOf(record: RecordView, text: (field: string) => string): readonly string[] {
  const badges = flags.filter(flag => record[flag] === true);
  if (typeof record.isWhitelisted === 'boolean') badges.push(record.isWhitelisted ? 'verified' : 'pending');
  if (text('state') !== '') badges.push(text('state'));
  return badges;
}
