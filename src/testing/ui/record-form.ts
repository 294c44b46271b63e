import type { RecordPage, RecordView } from '../server/protocol.ts';
import type { RecordKind } from '../service/records.ts';
import { api, attempt } from './api.ts';
import { ask, button, byId, copyButton, el, say } from './dom.ts';

/** Labels of fields whose names do not split into words well. */
const labels: Readonly<Record<string, string>> = {
  ltv: 'Lifetime value, cents',
  time: 'Time, Unix seconds',
  dkimVerified: 'DKIM verified',
  dmarcVerified: 'DMARC verified',
  gptVerified: 'Postmaster tools verified',
  dmarcFailureReason: 'DMARC failure reason',
  lastTrackedIp: 'Last tracked IP',
  isWhitelisted: 'Verified',
  contactSource: 'Contact source (1 API, 2 import, 3 form, 4 integration)',
};

/** Form that adds, updates and deletes a record. */
export class RecordForm {
  readonly #kinds: Readonly<Record<string, RecordKind>>;
  readonly #onChange: () => Promise<void>;
  #place = '';

  /** @param onChange Called when a record was added, updated or deleted. */
  constructor(kinds: Readonly<Record<string, RecordKind>>, onChange: () => Promise<void>) {
    this.#kinds = kinds;
    this.#onChange = onChange;
  }

  /** Opens a record: an id, `new`, or `''` for none. */
  async open(kind: string, id: string): Promise<void> {
    const place = `${kind}/${id}`;
    const pane = byId('record-detail');
    if (place === this.#place && pane.childElementCount > 0) return;
    this.#place = place;
    if (id === '') {
      pane.replaceChildren(el('p', { class: 'hint' }, 'Choose a record to edit it, or add one.'));
      return;
    }
    const opened = await attempt(async () => {
      const page: RecordPage =
        id === 'new' ? { records: [{ id: '' }], total: 0, names: {} } : await api.record(kind, id);
      const related = await this.#related(kind);
      const [record] = page.records;
      if (record !== undefined && place === this.#place) this.#show(pane, kind, record, related);
    });
    if (!opened) pane.replaceChildren(el('p', { class: 'hint' }, 'This record no longer exists.'));
  }

  /** Fetches the tags, lists and custom fields that a contact can have. */
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
    for (const { element } of controls) element.querySelector('.error')?.remove();
    const save = async () => {
      const isNew = record.id === '';
      const { id } = isNew
        ? await api.addRecord(kind, fields)
        : await api.changeRecord(kind, record.id, fields);
      if (isNew) location.hash = `#/data/${kind}/${id}`;
      else await this.#reopen(kind, id);
      await this.#onChange();
      say(isNew ? 'Added.' : 'Saved.');
    };
    await attempt(save, message => showBesideField(controls, message));
  }

  /** Reloads the record. */
  async #reopen(kind: string, id: string): Promise<void> {
    this.#place = '';
    await this.open(kind, id);
    byId('record-detail').querySelector<HTMLElement>('button.primary')?.focus();
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

/** Records that a field can refer to, by field name. */
type Related = Readonly<Record<string, readonly RecordView[] | undefined>>;

/** Control for a field of a record. */
interface FieldControl {
  readonly name: string;
  readonly element: HTMLElement;
  /** Returns the value of the field; `undefined` to use the default. */
  readonly read: () => unknown;
}

/** Shows an error beside the field that it names; as a message if it names none. */
function showBesideField(controls: readonly FieldControl[], message: string): void {
  const words = message.split(/\W+/);
  const control = controls.find(({ name }) => words.includes(name));
  if (control === undefined) {
    say(message, 'bad');
    return;
  }
  control.element.append(el('p', { class: 'error', role: 'alert' }, message));
  control.element.querySelector<HTMLElement>('input, select, textarea')?.focus();
}

/** Returns the label of a field: `First name` for `firstName`. */
export function fieldLabel(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return labels[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Creates the control for a field. */
function controlFor(
  name: string,
  rule: RecordKind['fields'][string],
  value: unknown,
  related: Related,
  required: boolean,
): FieldControl {
  switch (rule.type) {
    case 'flag':
      return flagControl(name, value === true);
    case 'choice':
      return choiceControl(name, rule.values ?? [], value);
    case 'integer':
      return integerControl(name, value);
    case 'tags':
    case 'lists':
      return idsControl(name, value, related[name] ?? []);
    case 'fieldValues':
      return fieldMapControl(name, value, related[name] ?? []);
    case 'textMap':
      return pairsControl(name, value);
    default:
      return textControl(name, value, required);
  }
}

function labelled(name: string, control: HTMLElement, className?: string): HTMLElement {
  return el('label', { class: className }, el('span', {}, fieldLabel(name)), control);
}

function group(name: string, controls: readonly HTMLElement[]): HTMLElement {
  const shown = controls.length === 0 ? [el('p', { class: 'quiet' }, 'None yet.')] : controls;
  return el('fieldset', {}, el('legend', {}, fieldLabel(name)), el('div', { class: 'choices' }, ...shown));
}

function textControl(name: string, value: unknown, required: boolean): FieldControl {
  const input = el('input', { name, required, placeholder: required ? undefined : 'empty' });
  input.value = typeof value === 'string' ? value : '';
  // Blank fields of a new record get their defaults.
  const read = () => (input.value === '' && value === undefined ? undefined : input.value);
  return { name, element: labelled(name, input), read };
}

function flagControl(name: string, value: boolean): FieldControl {
  const input = el('input', { name, type: 'checkbox' });
  input.checked = value;
  return { name, element: labelled(name, input, 'check'), read: () => input.checked };
}

function choiceControl(name: string, values: readonly string[], value: unknown): FieldControl {
  const select = el('select', { name }, ...values.map(choice => el('option', {}, choice)));
  if (typeof value === 'string') select.value = value;
  return { name, element: labelled(name, select), read: () => select.value };
}

function integerControl(name: string, value: unknown): FieldControl {
  const input = el('input', { name, type: 'number', step: '1' });
  input.value = value === undefined ? '' : String(value);
  const read = () => (input.value === '' ? undefined : Number(input.value));
  return { name, element: labelled(name, input), read };
}

function idsControl(name: string, value: unknown, choices: readonly RecordView[]): FieldControl {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const unlisted = chosen
    .filter(id => choices.every(choice => choice.id !== id))
    .map(id => ({ id: String(id) }));
  const sorted = choices.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const boxes = [...sorted, ...unlisted].map(choice => {
    const box = el('input', { type: 'checkbox', value: choice.id });
    box.checked = chosen.includes(choice.id);
    return { box, label: el('label', { class: 'check' }, box, nameOf(choice)) };
  });
  const element = group(
    name,
    boxes.map(({ label }) => label),
  );
  // Keeps the order of the ids, so that saving an unchanged record changes nothing.
  const read = () => {
    const checked = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    return [
      ...chosen.filter(id => checked.includes(String(id))),
      ...checked.filter(id => !chosen.includes(id)),
    ];
  };
  return { name, element, read };
}

function nameOf(record: RecordView | { readonly id: string }): string {
  return 'name' in record && typeof record.name === 'string' ? record.name : record.id;
}

function fieldMapControl(name: string, value: unknown, fields: readonly RecordView[]): FieldControl {
  const current = asPairs(value);
  const ids = [...new Set([...fields.map(field => field.id), ...Object.keys(current)])];
  const inputs = ids.map(id => {
    const input = el('input', { placeholder: 'not set' });
    input.value = current[id] ?? '';
    const field = fields.find(candidate => candidate.id === id) ?? { id };
    return { id, input, label: el('label', {}, el('span', {}, nameOf(field)), input) };
  });
  const element = group(
    name,
    inputs.map(({ label }) => label),
  );
  const read = () =>
    Object.fromEntries(
      inputs
        .filter(({ id, input }) => input.value !== '' || current[id] === '')
        .map(({ id, input }) => [id, input.value]),
    );
  return { name, element, read };
}

function pairsControl(name: string, value: unknown): FieldControl {
  const area = el('textarea', { name, rows: '4', placeholder: 'name=value, one per line' });
  area.value = Object.entries(asPairs(value))
    .map(([key, item]) => `${key}=${item}`)
    .join('\n');
  const read = () =>
    Object.fromEntries(
      area.value
        .split('\n')
        .filter(line => line.includes('='))
        .map(line => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]),
    );
  return { name, element: labelled(name, area), read };
}

function asPairs(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}
