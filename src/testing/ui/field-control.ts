import type { RecordView } from '../server/protocol.ts';
import type { FieldRule } from '../service/record-kinds.ts';
import { el } from './dom.ts';

/** Records that a field can refer to, by field name. */
export type Related = Readonly<Record<string, readonly RecordView[] | undefined>>;

/** A control for one field of a record. */
export interface FieldControl {
  readonly name: string;
  readonly element: HTMLElement;
  /** Returns the field's value; `undefined` for one that is left to the sandbox. */
  readonly read: () => unknown;
}

/** Names of fields that read badly when they are taken apart. */
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

/** Returns a field's name for people: `firstName` as `First name`. */
function fieldLabel(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return labels[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Creates the control for a field. */
export function controlFor(
  name: string,
  rule: FieldRule,
  value: unknown,
  related: Related,
  required: boolean,
): FieldControl {
  switch (rule.type) {
    case 'flag':
      return flagControl(name, value === true);
    case 'choice':
      return choiceControl(name, rule.values, value);
    case 'integer':
      return integerControl(name, value);
    case 'texts':
    case 'ids':
      return idsControl(name, value, related[name] ?? []);
    case 'fieldMap':
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

function textControl(name: string, value: unknown, required: boolean): FieldControl {
  const input = el('input', { name, required, placeholder: required ? undefined : 'empty' });
  input.value = typeof value === 'string' ? value : '';
  // A new record gets its own default for what is left blank.
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
  const boxes = [...choices, ...unlisted].map(choice => {
    const box = el('input', { type: 'checkbox', value: choice.id });
    box.checked = chosen.includes(choice.id);
    return { box, label: el('label', { class: 'check' }, box, nameOf(choice)) };
  });
  const list =
    boxes.length === 0 ? [el('p', { class: 'quiet' }, 'There are none.')] : boxes.map(({ label }) => label);
  const element = el(
    'fieldset',
    {},
    el('legend', {}, fieldLabel(name)),
    el('div', { class: 'choices' }, ...list),
  );
  // Ids that were chosen already keep their order, so that saving without a change changes nothing.
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
  const given = asPairs(value);
  const ids = [...new Set([...fields.map(field => field.id), ...Object.keys(given)])];
  const inputs = ids.map(id => {
    const input = el('input', { placeholder: 'not set' });
    input.value = given[id] ?? '';
    const field = fields.find(candidate => candidate.id === id) ?? { id };
    return { id, input, label: el('label', {}, el('span', {}, nameOf(field)), input) };
  });
  const shown =
    inputs.length === 0 ? [el('p', { class: 'quiet' }, 'There are none.')] : inputs.map(({ label }) => label);
  const element = el('fieldset', {}, el('legend', {}, fieldLabel(name)), ...shown);
  const read = () =>
    Object.fromEntries(
      inputs
        .filter(({ id, input }) => input.value !== '' || id in given)
        .map(({ id, input }) => [id, input.value]),
    );
  return { name, element, read };
}

function pairsControl(name: string, value: unknown): FieldControl {
  const area = el('textarea', { name, rows: '4', placeholder: 'name=value, one a line' });
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
