import type { Overview, RecordPage, RecordView, View } from '../server/protocol.ts';
import type { RecordKind } from '../service/records.ts';
import { api, attempt } from './api.ts';
import { byId, el, moveWithArrows, showKeyed } from './dom.ts';
import { count, unixTime } from './format.ts';
import { fieldLabel, RecordForm } from './record-form.ts';

/** Delay after the last keystroke before a search starts, in milliseconds. */
const typingMs = 200;

/** Kind shown first. */
const firstKind = 'contacts';

/** View of the records: kinds, list of one kind, and form for one record. */
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

  /** Opens a kind and one of its records: an id, `new`, or `''` for none. */
  async open(kind: string, id: string): Promise<void> {
    const known = Object.hasOwn(this.#view.kinds, kind) ? kind : firstKind;
    if (known !== this.#kind) this.#openKind(known);
    this.#open = id;
    byId('data-view').classList.toggle('opened', id !== '');
    this.#show();
    await Promise.all([this.refresh(), this.#form.open(this.#kind, id)]);
  }

  /** Updates the number of records of each kind, and reloads the records if they may have changed. */
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

  /** Reloads the records. */
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
    const { fields = {} } = this.#view.kinds[this.#kind] ?? {};
    const { title, detail, badges } = recordSummary(fields, record, this.#names);
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
    empty.textContent = searched ? 'No matches.' : `No ${title.toLowerCase()} yet.`;
  }
}

/** How a record appears in a list. */
interface RecordSummary {
  readonly title: string;
  readonly detail: string;
  readonly badges: readonly string[];
}

/** Summarizes a record for the list: its first field, its other texts, and its flags and choices as badges. */
function recordSummary(
  fields: RecordKind['fields'],
  record: RecordView,
  names: Readonly<Record<string, string>>,
): RecordSummary {
  const texts: string[] = [];
  const badges: string[] = [];
  for (const [name, { type }] of Object.entries(fields)) {
    const value = record[name];
    if (name === 'created' || name === 'updated') continue;
    if (type === 'flag' && value === true) badges.push(fieldLabel(name).toLowerCase());
    if (type === 'choice') badges.push(String(value));
    if (type === 'tags' && Array.isArray(value)) texts.push(...value.map(id => `#${names[id] ?? id}`));
    if (type === 'lists' && Array.isArray(value)) texts.push(...value.map(id => names[id] ?? id));
    if (type === 'textMap') texts.push(...Object.entries(value ?? {}).map(([key, item]) => `${key}=${item}`));
    if (name === 'time') texts.push(unixTime(Number(value)));
    if (['text', 'email', 'hostname', 'date'].includes(type)) texts.push(String(value));
  }
  const [title = '', ...others] = texts;
  const detail = others.filter(text => text !== '').join(' · ');
  return { title, detail: detail === '' ? record.id : detail, badges };
}
