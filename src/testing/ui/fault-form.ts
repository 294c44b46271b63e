import type { View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { byId, el } from './dom.ts';
import { say } from './message.ts';

const kinds = {
  fail: 'fail: respond with an error',
  latency: 'latency: wait first',
  rateLimit: 'rateLimit: refuse what is too much',
  drop: 'drop: cut the connection',
  stall: 'stall: never end the response',
} as const;

/** A field of the form: its label, its control, and the kinds of fault that have it. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  readonly of: readonly string[];
}

const all = Object.keys(kinds);
const limited = all.filter(kind => kind !== 'rateLimit');
const interruptions = ['drop', 'stall'];

function fields(view: View): readonly Field[] {
  return [
    { name: 'operation', label: 'Operation', control: targets(view), of: all },
    { name: 'kind', label: 'Fault', control: options(kinds), of: all },
    {
      name: 'status',
      label: 'Status',
      control: number({ min: '200', max: '599', value: '503' }),
      of: ['fail'],
    },
    { name: 'retryAfter', label: 'Retry-After, seconds or date', control: el('input', {}), of: ['fail'] },
    { name: 'body', label: 'Body: JSON or text', control: el('textarea', { rows: '3' }), of: ['fail'] },
    { name: 'ms', label: 'Wait, ms', control: number({ min: '0', value: '1000' }), of: ['latency'] },
    {
      name: 'jitterMs',
      label: 'Jitter, ms',
      control: number({ min: '0', placeholder: '0' }),
      of: ['latency'],
    },
    { name: 'requests', label: 'Requests', control: number({ min: '0', value: '5' }), of: ['rateLimit'] },
    {
      name: 'perSeconds',
      label: 'per seconds',
      control: number({ min: '0', value: '1', step: 'any' }),
      of: ['rateLimit'],
    },
    {
      name: 'at',
      label: 'Where',
      control: options({ head: 'before the response', body: 'half-way through the body' }),
      of: interruptions,
    },
    { name: 'times', label: 'Times', control: number({ min: '1', placeholder: 'no limit' }), of: limited },
    {
      name: 'chance',
      label: 'Probability, 0 to 1',
      control: number({ min: '0', max: '1', step: 'any', placeholder: '1' }),
      of: limited,
    },
    {
      name: 'acted',
      label: 'The service acts first',
      control: el('input', { type: 'checkbox' }),
      of: ['fail', ...interruptions],
    },
  ];
}

/** Builds the form by which a person switches on any fault. */
export function startFaultForm(view: View): void {
  const form = byId<HTMLFormElement>('fault-form');
  const made = fields(view);
  for (const { name, label, control } of made) {
    control.name = name;
    const isCheck = control.getAttribute('type') === 'checkbox';
    form.append(el('label', { class: isCheck ? 'check' : undefined }, el('span', {}, label), control));
  }
  form.append(el('button', { class: 'primary' }, 'Switch on'));
  const showFields = () => {
    const kind = String(new FormData(form).get('kind'));
    for (const { control, of } of made) {
      const shown = of.includes(kind);
      control.disabled = !shown;
      if (control.parentElement !== null) control.parentElement.hidden = !shown;
    }
  };
  form.addEventListener('change', showFields);
  form.addEventListener('submit', event => {
    event.preventDefault();
    void submit(form);
  });
  showFields();
}

async function submit(form: HTMLFormElement): Promise<void> {
  const order: Record<string, unknown> = {};
  for (const [name, value] of new FormData(form)) {
    const text = String(value);
    if (text !== '') order[name] = fieldValue(form, name, text);
  }
  if (await attempt(() => api.addFault(order))) say('The fault is on.');
}

function fieldValue(form: HTMLFormElement, name: string, text: string): unknown {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return true;
  if (control instanceof HTMLInputElement && control.type === 'number') return Number(text);
  if (name === 'retryAfter' && /^\d+$/.test(text)) return Number(text);
  return name === 'body' ? jsonOrText(text) : text;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function targets({ operations, endpoints }: View): HTMLSelectElement {
  const group = (label: string, names: readonly string[]) =>
    el('optgroup', { label }, ...names.map(name => el('option', {}, name)));
  return el(
    'select',
    {},
    el('option', { value: '*' }, 'all requests'),
    group('Operations', operations),
    group('Endpoints', endpoints),
  );
}

function options(labels: Readonly<Record<string, string>>): HTMLSelectElement {
  return el('select', {}, ...Object.entries(labels).map(([value, label]) => el('option', { value }, label)));
}

function number(attributes: Readonly<Record<string, string>>): HTMLInputElement {
  return el('input', { type: 'number', ...attributes });
}
