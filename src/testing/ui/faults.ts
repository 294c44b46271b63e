import type { FaultOrder } from '../faults/check.ts';
import type { ActiveFault } from '../faults/kinds.ts';
import type { View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { button, byId, el, say, showKeyed } from './dom.ts';
import { count, isJson } from './format.ts';

/** Maximum length of an option of an active fault, in characters; longer bodies are cut. */
const optionLength = 80;

/** Set of faults that simulates a common situation. */
interface Preset {
  readonly name: string;
  readonly description: string;
  readonly faults: readonly (FaultOrder & { readonly operation: string })[];
}

const presets: readonly Preset[] = [
  {
    name: 'Slow network',
    description: 'Every response takes 0.8 to 2 seconds.',
    faults: [{ operation: '*', kind: 'latency', ms: 800, jitterMs: 1200 }],
  },
  {
    name: 'Outage',
    description: 'Every request gets 503 with Retry-After: 5.',
    faults: [{ operation: '*', kind: 'fail', status: 503, retryAfter: 5 }],
  },
  {
    name: 'Rate limited',
    description: 'Two requests per second; the others get 429.',
    faults: [{ operation: '*', kind: 'rateLimit', requests: 2, perSeconds: 1 }],
  },
  {
    name: 'Dropped connections',
    description: 'Three in ten connections are cut, half of them after the service performed the request.',
    faults: [
      { operation: '*', kind: 'drop', chance: 0.15 },
      { operation: '*', kind: 'drop', chance: 0.18, acted: true },
    ],
  },
];

/** Fills the view of faults. */
export function startFaults(view: View): void {
  startFaultForm(view);
  byId('presets').replaceChildren(...presets.map(presetButton));
  byId('clear-faults').addEventListener('click', () => void attempt(api.clearFaults));
}

function presetButton(preset: Preset): HTMLElement {
  const on = button('', () => switchOn(preset), { class: 'preset' });
  on.append(el('strong', {}, preset.name), el('span', { class: 'quiet' }, preset.description));
  return on;
}

async function switchOn({ name, faults }: Preset): Promise<void> {
  const done = await attempt(async () => {
    for (const fault of faults) await api.addFault(fault);
  });
  if (done) say(`Switched on: ${name}.`);
}

/** Shows the active faults with their counters. */
export function showFaults(faults: readonly ActiveFault[]): void {
  byId('faults-count').textContent = faults.length === 0 ? '' : count(faults.length);
  byId<HTMLButtonElement>('clear-faults').disabled = faults.length === 0;
  const rows = faults.map(fault => ({
    key: String(fault.number),
    content: String(fault.hits),
    make: () => faultRow(fault),
  }));
  const none = {
    key: 'none',
    content: '',
    make: () => el('li', { class: 'hint' }, 'No active faults. Choose a preset or add a custom fault.'),
  };
  showKeyed(byId('faults'), rows.length === 0 ? [none] : rows);
}

function faultRow(fault: ActiveFault): HTMLElement {
  const { number, operation, kind, hits } = fault;
  return el(
    'li',
    { class: 'active-fault' },
    el(
      'div',
      {},
      el('strong', {}, `${kind} ${operation === '*' ? 'all requests' : operation}`),
      el('span', { class: 'quiet' }, faultText(fault)),
    ),
    el(
      'span',
      { class: `badge ${hits === 0 ? 'quiet' : 'bad'}` },
      `${count(hits)} ${hits === 1 ? 'hit' : 'hits'}`,
    ),
    button('Switch off', () => attempt(() => api.removeFault(number)), {
      'aria-label': `Switch off ${kind} ${operation}`,
    }),
  );
}

const kinds = {
  fail: 'fail: error response',
  latency: 'latency: delay',
  rateLimit: 'rateLimit: 429',
  drop: 'drop: cut connection',
  stall: 'stall: endless response',
} as const;

/** Field of the form, and the kinds of fault that have it. */
type Field = readonly [
  name: string,
  label: string,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  of: readonly string[],
];

const all = Object.keys(kinds);
const limited = all.filter(kind => kind !== 'rateLimit');
const interruptions = ['drop', 'stall'];

function fields(view: View): readonly Field[] {
  return [
    ['operation', 'Operation', targets(view), all],
    ['kind', 'Fault', options(kinds), all],
    ['status', 'Status', number({ min: '200', max: '599', value: '503' }), ['fail']],
    ['retryAfter', 'Retry-After, seconds or date', el('input', {}), ['fail']],
    ['body', 'Body: JSON or text', el('textarea', { rows: '3' }), ['fail']],
    ['ms', 'Wait, ms', number({ min: '0', value: '1000' }), ['latency']],
    ['jitterMs', 'Jitter, ms', number({ min: '0', placeholder: '0' }), ['latency']],
    ['requests', 'Requests', number({ min: '0', value: '5' }), ['rateLimit']],
    ['perSeconds', 'per seconds', number({ min: '0', value: '1', step: 'any' }), ['rateLimit']],
    [
      'at',
      'When',
      options({ head: 'before the response', body: 'half-way through the body' }),
      interruptions,
    ],
    ['times', 'Times', number({ min: '1', placeholder: 'no limit' }), limited],
    ['chance', 'Probability, 0 to 1', number({ min: '0', max: '1', step: 'any', placeholder: '1' }), limited],
    ['acted', 'Perform the request first', el('input', { type: 'checkbox' }), ['fail', ...interruptions]],
  ];
}

/** Builds the form for a custom fault. */
function startFaultForm(view: View): void {
  const form = byId<HTMLFormElement>('fault-form');
  const made = fields(view);
  for (const [name, label, control] of made) {
    control.name = name;
    const isCheck = control.getAttribute('type') === 'checkbox';
    form.append(el('label', { class: isCheck ? 'check' : undefined }, el('span', {}, label), control));
  }
  form.append(el('button', { class: 'primary' }, 'Switch on'));
  const showFields = () => {
    const kind = String(new FormData(form).get('kind'));
    for (const [, , control, of] of made) {
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
  return name === 'body' && isJson(text) ? JSON.parse(text) : text;
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

/** Returns the options of a fault: `status: 503, times: 2`. */
export function faultText({ kind, operation, number, hits, ...options }: ActiveFault): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`.slice(0, optionLength))
    .join(', ');
}
