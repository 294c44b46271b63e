import type { Overview, RecordPage, RecordView, View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { button, byId, type Child, el, keepFocus, markCurrent, type Row, say, table } from './dom.ts';
import { count, unixTime } from './format.ts';
import { jsonEditor } from './json-editor.ts';
import { List } from './list.ts';

/** View of the records: their kinds, the list of one kind, and one record as JSON. */
export class RecordsView {
  readonly #kinds: View['kinds'];
  readonly #list: List;
  #kind = '';
  #open = '';

  constructor({ kinds }: View) {
    this.#kinds = kinds;
    this.#list = new List(byId('data-view'), async (search, limit) => {
      const query = new URLSearchParams({ search, limit: String(limit) });
      const { records, total, names } = await api.records(this.#kind, query);
      const rows = records.map(record => rowOf(this.#kind, record, names));
      return { rows, more: records.length < total };
    });
    byId('add-record').addEventListener('click', () => {
      location.hash = `#/data/${this.#kind}/new`;
    });
    byId('kinds').replaceChildren(
      ...Object.entries(kinds).map(([kind, { title }]) =>
        el('a', { href: `#/data/${kind}` }, title, ' ', el('span', { id: `${kind}-count` })),
      ),
    );
  }

  /** Opens a kind and one of its records: an id, `new`, or `''` for none. */
  async open(kind: string, id: string): Promise<void> {
    const { title = '', singular = '' } = this.#kinds[kind] ?? {};
    if (kind !== this.#kind) this.#list.clear();
    const isSame = kind === this.#kind && id === this.#open;
    this.#kind = kind;
    this.#open = id;
    byId('kind-title').textContent = title;
    byId('add-record').textContent = `Add ${singular}`;
    byId('no-records').textContent = `No ${title.toLowerCase()} yet.`;
    markCurrent(byId('kinds').querySelectorAll('a'));
    this.#list.open(id !== '');
    if (!isSame || id === '') await this.#show();
    await this.#list.refresh();
  }

  /** Shows the number of records of each kind, and the records as they are now. */
  update({ counts }: Overview): void {
    for (const [kind, size] of Object.entries(counts)) byId(`${kind}-count`).textContent = count(size);
    if (!byId('data-view').hidden) void this.#list.refresh();
  }

  /** Shows what is open. */
  async #show(): Promise<void> {
    const [kind, id] = [this.#kind, this.#open];
    const { title = '', singular = '' } = this.#kinds[kind] ?? {};
    const page = id === '' || id === 'new' ? undefined : await api.record(kind, id).catch(() => undefined);
    if (kind !== this.#kind || id !== this.#open) return;
    const pane = byId('record-detail');
    if (id === '') return pane.replaceChildren('Choose a record to edit it, or add one.');
    const show = (heading: string, ...content: readonly Child[]) =>
      pane.replaceChildren(
        el('a', { class: 'back', href: `#/data/${kind}` }, `← ${title}`),
        el('h3', { tabindex: '-1' }, heading),
        el('div', { class: 'stack' }, ...content),
      );
    if (id === 'new') show(`New ${singular}`, ...this.#newEditor());
    else if (page === undefined) show('This record no longer exists.');
    else show(`Edit ${singular}`, ...this.#editorOf(page));
    if (id === 'new') pane.querySelector('textarea')?.focus();
    else keepFocus(pane.querySelector('h3'));
  }

  #newEditor(): readonly Child[] {
    const { singular = '', required = [], fields = {} } = this.#kinds[this.#kind] ?? {};
    const start = Object.fromEntries(required.map(name => [name, '']));
    const hint = el('p', { class: 'quiet' }, `Fields: ${Object.keys(fields).join(', ')}.`);
    return [hint, jsonEditor('Record', start, `Add ${singular}`, text => this.#add(text))];
  }

  #editorOf({ records: [record], names }: RecordPage): readonly Child[] {
    const remove = button('Delete…', () => this.#delete(), { class: 'danger' });
    const save = (text: string) => this.#save(text, record ?? {});
    return [jsonEditor('Record', record ?? {}, 'Save', save, remove), table('Names of the ids', names)];
  }

  async #add(text: string): Promise<void> {
    const kind = this.#kind;
    const { id } = await api.addRecord(kind, text);
    location.hash = `#/data/${kind}/${id}`;
    say('Added.');
  }

  /** Saves the members that were changed; others may have changed meanwhile. */
  async #save(text: string, shown: object): Promise<void> {
    await api.changeRecord(this.#kind, this.#open, changesIn(text, shown));
    await this.#show();
    byId('record-detail').querySelector<HTMLElement>('button.primary')?.focus();
    say('Saved.');
  }

  async #delete(): Promise<void> {
    const { singular = '' } = this.#kinds[this.#kind] ?? {};
    if (!confirm(`Delete this ${singular} permanently?`)) return;
    await attempt(async () => {
      await api.deleteRecord(this.#kind, this.#open);
      location.hash = `#/data/${this.#kind}`;
      say('Deleted.');
    });
  }
}

/** Returns JSON of the members that differ from those shown; other text as it is, for the server to refuse. */
function changesIn(text: string, shown: object): string {
  const before = new Map(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]));
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== before.get(name);
  try {
    const edited: unknown = JSON.parse(text);
    if (typeof edited !== 'object' || edited === null || Array.isArray(edited)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(edited).filter(isChanged)));
  } catch {
    return text;
  }
}

function rowOf(kind: string, record: RecordView, names: Readonly<Record<string, string>>): Row {
  // Names of tags show as those of their ids.
  const { id, created, updated, tagNames, ...fields } = record;
  const [title = id, ...others] = Object.entries(fields).flatMap(field => textsOf(...field, names));
  const flags = Object.keys(fields).filter(name => fields[name] === true);
  const detail = others.length === 0 ? id : others.join(' · ');
  const link = () =>
    el(
      'a',
      { class: 'row', href: `#/data/${kind}/${id}` },
      el('span', { class: 'what' }, title),
      ...flags.map(flag => el('span', { class: 'tag' }, flag)),
      el('span', { class: 'reason quiet' }, detail),
    );
  return { key: id, content: JSON.stringify([title, flags, detail]), make: () => el('li', {}, link()) };
}

/** Returns the texts by which a field shows in the list; none for flags, empty texts, and numbers other than times. */
function textsOf(name: string, value: unknown, names: Readonly<Record<string, string>>): readonly string[] {
  if (name === 'time') return [unixTime(Number(value))];
  if (typeof value === 'string')
    return value === '' ? [] : [name === 'template' ? (names[value] ?? value) : value];
  if (Array.isArray(value)) return value.map(id => `${name === 'tags' ? '#' : ''}${names[id] ?? id}`);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, item]) => `${names[key] ?? key}=${item}`);
}
