import type { ActiveFault } from '../faults/fault-kinds.ts';
import type { RecordedRequest } from '../request-log.ts';
import type { RecordView } from '../server/control-json.ts';

/** Returns the local time of day, with milliseconds. */
export const timeOf = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });

/** Returns the heading of a kind of record: `Custom fields` for `customFields`. */
export const titleOf = (kind: string): string =>
  kind.replace(/^[a-z]|[A-Z]/g, letter => (letter < 'a' ? ` ${letter.toLowerCase()}` : letter.toUpperCase()));

/** Returns further text for the filter: the class of the status, such as `5xx`. */
export const resultOf = ({ status }: RecordedRequest): string =>
  status === undefined ? 'no response' : `${Math.floor(status / 100)}xx`;

/** Returns the options of a fault: `status: 503, times: 2`. */
export const faultText = ({ kind, operation, number, hits, ...options }: ActiveFault): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`.slice(0, 80))
    .join(', ');

/** Indents JSON text. Other text is returned unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns the strings that represent a record in the list. */
export function recordTexts(record: RecordView, names: Readonly<Record<string, string>>) {
  const { id, created, updated, ...fields } = record;
  const textsOf = ([name, value]: [string, unknown]): readonly string[] => {
    if (name === 'time') return [new Date(Number(value) * 1000).toLocaleString('en-GB')];
    if (typeof value === 'string') return value === '' ? [] : [names[value] ?? value];
    if (Array.isArray(value)) return value.map(each => `${name === 'tags' ? '#' : ''}${names[each] ?? each}`);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).map(([key, item]) => `${names[key] ?? key}=${item}`);
  };
  const [name = id, ...others] = Object.entries(fields).flatMap(textsOf);
  const flags = Object.keys(fields).filter(each => fields[each] === true);
  return { name, flags, detail: others.length === 0 ? id : others.join(' · ') };
}

/** Returns the changed members as JSON. Text that is not JSON is returned unchanged, for the server to reject. */
export function changesIn(text: string, shown: object): string {
  const before = new Map(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]));
  try {
    const edited = Object.entries(JSON.parse(text) as object);
    return JSON.stringify(
      Object.fromEntries(edited.filter(([name, value]) => JSON.stringify(value) !== before.get(name))),
    );
  } catch {
    return text;
  }
}

/** Returns the parts of a URL's fragment: `#/data/tags` is `data` and `tags`. */
export const placeOf = (hash: string): string[] => hash.replace(/^#\//, '').split('/');
