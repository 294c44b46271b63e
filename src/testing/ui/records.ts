import type { Overview, RecordPage, RecordView, View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { byId, codeBlock, copyButton, el, moveWithArrows, showKeyed } from './dom.ts';
import { count, unixTime } from './format.ts';
import { RecordForm } from './record-form.ts';

/** Milliseconds to wait for further typing before a search starts. */
const typingMs = 200;

/** Kind shown first. */
const firstKind = 'contacts';

/** Client code that creates a record, by kind. */
const creationCode: Readonly<Record<string, string>> = {
  contacts: "await client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada' });",
  lists: "await client.lists.create({ name: 'Newsletter' });",
  tags: "await client.tags.create({ name: 'vip' });",
  customFields: "await client.legacy.identify({ email: 'ada@example.com', customFields: { plan: 'pro' } });",
  domains: "await client.domains.create({ name: 'mail.example.com' });",
  postCategories: "await client.postCategories.create({ name: 'News' });",
  events: "await client.events.record({ name: 'signed-up', identifier: 'ada@example.com', data: {} });",
  tagChanges: "await client.legacy.track({ email: 'ada@example.com', addTags: ['vip'] });",
};

/** The records: kinds, a list of one kind, and a form for one record. */
export class RecordsView {
  readonly #view: View;
  readonly #form: RecordForm;
  #kind = '';
  #open = '';
  #records: RecordView[] = [];
  #names: Record<string, string> = {};
  #total = 0;
  #revision = -1;

  constructor(view: View) {
    this.#view = view;
    this.#form = new RecordForm(view.kinds, () => this.refresh());
    let typing: ReturnType<typeof setTimeout> | undefined;
    byId('record-search').addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(() => void this.refresh(), typingMs);
    });
    byId('add-record').addEventListener('click', () => {
      location.hash = `#/data/${this.#kind}/new`;
    });
    byId('more-records').addEventListener('click', () => void this.#fetchMore());
    moveWithArrows(byId('records'));
    this.showCounts(view);
  }

  /** Opens a kind, and one of its records: its id, `new`, or empty for none. */
  async open(kind: string, id: string): Promise<void> {
    const known = Object.hasOwn(this.#view.kinds, kind) ? kind : firstKind;
    if (known !== this.#kind) this.#openKind(known);
    this.#open = id;
    byId('data-view').classList.toggle('opened', id !== '');
    this.#show();
    await Promise.all([this.refresh(), this.#form.open(this.#kind, id)]);
  }

  /** Shows the number of records of each kind, and the records again when they may have changed. */
  update(overview: Overview): void {
    this.showCounts(overview);
    const changed = overview.revision !== this.#revision || overview.counts[this.#kind] !== this.#total;
    this.#revision = overview.revision;
    if (changed && !byId('data-view').hidden) void this.refresh();
  }

  /** Shows the number of records of each kind. */
  showCounts({ counts }: Pick<Overview, 'counts'>): void {
    showKeyed(
      byId('kinds'),
      Object.entries(this.#view.kinds).map(([kind, { title }]) => ({
        key: kind,
        content: `${counts[kind]} ${kind === this.#kind}`,
        make: () =>
          el(
            'a',
            { href: `#/data/${kind}`, 'aria-current': kind === this.#kind ? 'page' : undefined },
            title,
            el('span', { class: 'quiet' }, ` ${count(counts[kind] ?? 0)}`),
          ),
      })),
    );
    this.#counts = counts;
  }

  #counts: Readonly<Record<string, number>> = {};

  /** Fetches the records shown again. */
  async refresh(): Promise<void> {
    const kind = this.#kind;
    const page = await api.records(kind, this.#query(0)).catch(() => undefined);
    if (page === undefined || kind !== this.#kind) return;
    const more = Math.max(this.#records.length - page.records.length, 0);
    this.#take(page, more > 0 ? this.#records.slice(page.records.length) : []);
  }

  async #fetchMore(): Promise<void> {
    const shown = this.#records;
    await attempt(async () =>
      this.#take(await api.records(this.#kind, this.#query(shown.length)), [], shown),
    );
  }

  #take(
    { records, total, names }: RecordPage,
    after: readonly RecordView[],
    before: readonly RecordView[] = [],
  ): void {
    const merged = new Map([...before, ...records, ...after].map(record => [record.id, record]));
    this.#records = [...merged.values()].slice(0, total);
    this.#total = total;
    this.#names = { ...this.#names, ...names };
    this.#show();
  }

  #query(offset: number): URLSearchParams {
    const search = byId<HTMLInputElement>('record-search').value;
    return new URLSearchParams({ search, offset: String(offset) });
  }

  #openKind(kind: string): void {
    this.#kind = kind;
    this.#records = [];
    this.#total = 0;
    byId<HTMLInputElement>('record-search').value = '';
    const { title = '', singular = '' } = this.#view.kinds[kind] ?? {};
    byId('kind-title').textContent = title;
    byId('add-record').textContent = `Add ${singular}`;
    this.showCounts({ counts: this.#counts });
    const link = byId('kinds').querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }

  #show(): void {
    const rows = this.#records.map(record => this.#row(record));
    showKeyed(byId('records'), rows);
    byId('more-records').hidden = this.#records.length >= this.#total;
    this.#showEmpty();
  }

  #row(record: RecordView) {
    const isOpen = record.id === this.#open;
    const { title, detail, badges } = recordSummary(this.#kind, record, this.#names);
    return {
      key: record.id,
      content: `${title}\n${detail}\n${badges}\n${isOpen}`,
      make: () =>
        el(
          'li',
          { class: 'record' },
          el(
            'a',
            {
              class: 'row',
              href: `#/data/${this.#kind}/${record.id}`,
              'aria-current': isOpen ? 'true' : undefined,
            },
            el('span', { class: 'what' }, title === '' ? record.id : title),
            ...badges.map(badge => el('span', { class: 'tag' }, badge)),
            detail !== '' && el('span', { class: 'reason quiet' }, detail),
          ),
          copyButton(record.id, `the id ${record.id}`, 'Copy id'),
        ),
    };
  }

  #showEmpty(): void {
    const empty = byId('records-empty');
    empty.hidden = this.#records.length > 0;
    const searched = byId<HTMLInputElement>('record-search').value !== '';
    const { title = '' } = this.#view.kinds[this.#kind] ?? {};
    const state = `${this.#kind} ${searched}`;
    if (empty.hidden || empty.dataset.state === state) return;
    empty.dataset.state = state;
    const code = creationCode[this.#kind];
    empty.replaceChildren(
      el('p', {}, searched ? 'Nothing matches the search.' : `No ${title.toLowerCase()} yet.`),
      ...(searched || code === undefined
        ? []
        : [el('p', {}, 'Add one above, or with the client:'), codeBlock(code, 'the client code')]),
    );
  }
}

/** Texts that show a record in a list. */
interface RecordSummary {
  readonly title: string;
  readonly detail: string;
  readonly badges: readonly string[];
}

/** Returns how a record is shown in a list. */
function recordSummary(
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
