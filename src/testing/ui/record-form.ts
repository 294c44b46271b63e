import type { RecordPage, RecordView } from '../server/protocol.ts';
import type { RecordKind } from '../service/record-kinds.ts';
import { api, attempt } from './api.ts';
import { copyButton } from './copy.ts';
import { button, byId, el } from './dom.ts';
import { controlFor, type FieldControl, type Related } from './field-control.ts';
import { ask, say } from './message.ts';

/** The form by which a person adds, changes and deletes a record. */
export class RecordForm {
  readonly #kinds: Readonly<Record<string, RecordKind>>;
  readonly #onChange: () => Promise<void>;
  #place = '';

  /** @param onChange Called when a record was added, changed or deleted. */
  constructor(kinds: Readonly<Record<string, RecordKind>>, onChange: () => Promise<void>) {
    this.#kinds = kinds;
    this.#onChange = onChange;
  }

  /** Opens a record by its id, `new` for one to add, empty for none. */
  async open(kind: string, id: string): Promise<void> {
    const place = `${kind}/${id}`;
    const pane = byId('record-detail');
    if (place === this.#place && pane.childElementCount > 0) return;
    this.#place = place;
    if (id === '') {
      pane.replaceChildren(el('p', { class: 'hint' }, 'Choose a record to view and edit it.'));
      return;
    }
    const opened = await attempt(async () => {
      const page: RecordPage =
        id === 'new' ? { records: [{ id: '' }], total: 0, names: {} } : await api.record(kind, id);
      const related = await this.#related(kind);
      const [record] = page.records;
      if (record !== undefined && place === this.#place) this.#show(pane, kind, record, related);
    });
    if (!opened) pane.replaceChildren(el('p', { class: 'hint' }, 'This record does not exist any more.'));
  }

  /** Fetches the tags, lists and custom fields that contacts refer to. */
  async #related(kind: string): Promise<Related> {
    if (kind !== 'contacts') return {};
    const query = new URLSearchParams({ limit: '500' });
    const [tags, lists, customFields] = await Promise.all(
      ['tags', 'lists', 'customFields'].map(async name => (await api.records(name, query)).records),
    );
    return { tags, lists, customFields };
  }

  #show(pane: HTMLElement, kind: string, record: RecordView, related: Related): void {
    const rules = this.#kinds[kind];
    if (rules === undefined) return;
    const isNew = record.id === '';
    const controls = Object.entries(rules.fields).map(([name, rule]) =>
      controlFor(name, rule, record[name], related, rules.required.includes(name)),
    );
    const form = this.#form(kind, record, controls, rules);
    pane.replaceChildren(
      el('a', { class: 'back', href: `#/data/${kind}` }, `← ${rules.title}`),
      el('h3', {}, isNew ? `New ${rules.singular}` : `Edit ${rules.singular}`),
      ...(isNew
        ? []
        : [
            el(
              'p',
              { class: 'id' },
              el('code', {}, record.id),
              copyButton(record.id, `the id ${record.id}`, 'Copy id'),
            ),
          ]),
      form,
    );
    if (isNew) form.querySelector<HTMLElement>('input, select')?.focus();
  }

  #form(
    kind: string,
    record: RecordView,
    controls: readonly FieldControl[],
    { singular }: RecordKind,
  ): HTMLFormElement {
    const isNew = record.id === '';
    const remove = () => this.#delete(kind, record.id, singular);
    const buttons = [
      el('button', { class: 'primary' }, isNew ? `Add ${singular}` : 'Save'),
      ...(isNew ? [] : [button('Delete…', remove, { class: 'danger' })]),
    ];
    const elements = controls.map(({ element }) => element);
    const form = el('form', { class: 'record-form' }, ...elements, el('div', { class: 'bar' }, ...buttons));
    form.addEventListener('submit', event => {
      event.preventDefault();
      void this.#save(kind, record, controls);
    });
    return form;
  }

  async #save(kind: string, record: RecordView, controls: readonly FieldControl[]): Promise<void> {
    const fields: Record<string, unknown> = {};
    for (const { name, read } of controls) {
      const value = read();
      if (value !== undefined && JSON.stringify(value) !== JSON.stringify(record[name])) fields[name] = value;
    }
    await attempt(async () => {
      const isNew = record.id === '';
      const saved = isNew
        ? await api.addRecord(kind, fields)
        : await api.changeRecord(kind, record.id, fields);
      say(isNew ? 'Added.' : 'Saved.');
      if (isNew) location.hash = `#/data/${kind}/${saved.id}`;
      await this.#onChange();
    });
  }

  async #delete(kind: string, id: string, singular: string): Promise<void> {
    if (!(await ask(`Delete this ${singular} permanently?`, 'Delete'))) return;
    await attempt(async () => {
      await api.deleteRecord(kind, id);
      say('Deleted.');
      location.hash = `#/data/${kind}`;
      await this.#onChange();
    });
  }
}
