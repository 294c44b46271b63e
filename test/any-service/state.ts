// The records of any service, and those it has before the first request.
import { contact, rows } from '../endpoints.ts';
import { type NamedRow, responseText } from '../support/operation-row.ts';
import { type Decisions, decide } from './decisions.ts';
import type { Fields } from './replies.ts';

const firstNames = ['Ada', 'Zoë', 'İpek', 'Ægir', '', 'Grace', '李', "O'Hara"];
const lastNames = ['Byron', 'Ångström', '', 'Hopper', 'van der Berg', 'ß'];

/** Path of the records of an operation, without the base path and the id. */
export const folderOf = ({ path }: NamedRow): string =>
  path.replace(/^\/api\/v1\/rest\/|\/\{identifier\}$/g, '');

/** Prefix of the ids of an operation's records, without its underscore. */
export const kindOf = (row: NamedRow): string =>
  /(?:\^\(|"id": ?")(\w+?)_(?:\)|[a-zA-Z0-9]{22}")/.exec(
    `${row.fields.identifier ?? ''} ${responseText(row)}`,
  )?.[1] ?? '';

export class ServiceState {
  readonly decisions: Decisions;
  readonly apiKey = 'rest-key-of-the-team';
  readonly legacyKey: string;
  readonly teamId = 'team/7 & more';
  /** Records in the order of their creation. */
  readonly contacts: Fields[] = [];
  readonly lists: Fields[] = [];
  readonly senders: Fields[] = [];
  readonly postTags: Fields[] = [];
  /** Names that were created, each after its path. */
  readonly names = new Set<string>();
  /** Ids that can be deleted, by the path in front of them; `system` ones are refused. */
  readonly deletable: Record<string, Map<string, 'usual' | 'system'>> = {};
  /** Number of requests that changed something. */
  acted = 0;
  /** `true` if the last response was an error of the legacy interface. */
  hasRefusedLegacy = false;
  count = 0;

  constructor(seed: number) {
    this.decisions = decide(seed);
    const { isApart, contacts, lists, upTo, chance } = this.decisions;
    this.legacyKey = isApart ? 'legacy-key-of-the-team' : this.apiKey;
    for (let index = 0; index < contacts; index++) this.contacts.push(this.contact(index));
    for (let index = 0; index < lists; index++) this.addList(`List ${index}`);
    for (let index = 1 + upTo(2); index > 0; index--) {
      const name = `Post tag ${index}`;
      const times = { created: this.time(), updated: this.time() };
      this.postTags.push({ id: this.id('post_tag', true), name, ...times });
      const email = `sender${index}@example.com`;
      this.senders.push({ id: this.id('sender'), name, email, isWhitelisted: chance(0.5) });
    }
    for (const row of rows.filter(({ method }) => method === 'DELETE')) {
      const kind = kindOf(row);
      // Every tag can be deleted.
      const states = ['usual', 'usual', kind === 'tag' ? 'usual' : 'system'] as const;
      const ids = states.map(state => [`${this.id(kind, true)}`, state] as const);
      this.deletable[folderOf(row)] = new Map(ids);
    }
  }

  /** Creates an id, in the documented form or in the form that was decided. */
  id(kind: string, isDocumented = false): string | number {
    const number = ++this.count;
    const { ids } = this.decisions;
    if (ids === 'number' && !isDocumented) return number;
    if (ids === 'short' && !isDocumented) return `${kind}_${number}`;
    return `${kind}_${`${number}aZ`.padEnd(22, 'b7Q')}`;
  }

  time(): string {
    return `2025-12-22T09:04:10${this.decisions.milliseconds ? '.613' : ''}Z`;
  }

  contact(index: number): Fields {
    const { one, chance, fieldPrefix, hasContactWithoutEmail } = this.decisions;
    const suffix = `${index}`.padStart(22, 'f');
    return {
      ...contact,
      id: this.id('contact'),
      firstName: one(...firstNames),
      lastName: one(...lastNames),
      email:
        hasContactWithoutEmail && index % 40 === 7 ? '' : `Person${index}+x@mail${index % 3}.example.com`,
      company: one('', 'Café & Co'),
      customFields: chance(0.5) ? {} : { [`${fieldPrefix}${suffix}`]: 'gold' },
      lists: chance(0.5) ? [] : [`list_${suffix}`],
      tags: [],
      unsubscribed: chance(0.2),
      created: this.time(),
      updated: this.time(),
      contactSource: one(1, 2, 3, 4, 9),
    };
  }

  addList(name: string): Fields {
    const type = this.decisions.one(0, 1, -3, 4096);
    const record = { id: this.id('list'), name, type, created: this.time(), updated: this.time() };
    this.lists.push(record);
    return record;
  }

  /** Base URLs of both interfaces, and the other options of a client. */
  clientOptions() {
    const { basePath, isApart, searchParameter } = this.decisions;
    return {
      baseUrl: `https://rest.example.test${basePath}`,
      apiKey: this.apiKey,
      legacyBaseUrl: `https://${isApart ? 'legacy' : 'rest'}.example.test${basePath}`,
      legacyApiKey: this.legacyKey,
      teamId: this.teamId,
      contactSearchParameter: searchParameter,
    };
  }

  /** Records of a listing in the order that was decided. */
  inOrder(records: readonly Fields[]): readonly Fields[] {
    const { order } = this.decisions;
    if (order === 'oldest') return records;
    if (order === 'newest') return [...records].reverse();
    // A fixed order that differs from the order of creation.
    return [...records].sort((a, b) => hashOf(a.id) - hashOf(b.id));
  }

  /** Finds a contact by its email. */
  find(email: unknown): Fields | undefined {
    const { emailCase } = this.decisions;
    const same = (text: unknown) => (emailCase === 'exact' ? `${text}` : `${text}`.toLowerCase());
    return email === '' ? undefined : this.contacts.find(contact => same(contact.email) === same(email));
  }
}

/** A number that belongs to an id. */
export const hashOf = (id: unknown): number =>
  [...`${id}`].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
