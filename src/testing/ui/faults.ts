import type { FaultOrder } from '../faults/check.ts';
import type { ActiveFault, FaultKind } from '../faults/kinds.ts';
import type { View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { button, byId, el, say, showKeyed } from './dom.ts';
import { count } from './format.ts';
import { asJson, jsonEditor } from './json-editor.ts';

/** Maximum length of an option of an active fault, in characters; longer bodies are cut. */
const optionLength = 80;

/** Common situations: what happens, and the faults that cause it for all requests. */
const presets: Readonly<Record<string, readonly [description: string, ...faults: readonly FaultOrder[]]>> = {
  'Slow network': ['Every response takes 0.8 to 2 seconds.', { kind: 'latency', ms: 800, jitterMs: 1200 }],
  Outage: ['Every request gets 503 with Retry-After: 5.', { kind: 'fail', status: 503, retryAfter: 5 }],
  'Rate limited': ['Two requests per second; the others get 429.', { kind: 'rateLimit', requests: 2 }],
  'Dropped connections': [
    'Three in ten connections are cut, half of them after the service performed the request.',
    { kind: 'drop', chance: 0.15 },
    { kind: 'drop', chance: 0.18, acted: true },
  ],
};

/** An example of each kind of fault, with the options that it can have. */
const examples: Readonly<Record<FaultKind, Omit<FaultOrder, 'kind'>>> = {
  fail: { status: 503, retryAfter: 2, after: 0, times: 2, chance: 1, acted: false },
  latency: { ms: 1000, jitterMs: 500, after: 0, times: 10, chance: 1, acted: false },
  rateLimit: { requests: 5, perSeconds: 1 },
  drop: { at: 'head', after: 0, times: 1, chance: 1, acted: true },
  stall: { at: 'body', after: 0, times: 1, chance: 1, acted: false },
  lag: { ms: 5000, after: 0, times: 10, chance: 1 },
  duplicate: { after: 0, times: 1, chance: 1 },
  trickle: { ms: 100, after: 0, times: 1, chance: 1 },
  // Switching it off releases the requests.
  hold: { when: { query: { limit: '10' } }, after: 0, times: 1, acted: false },
};

/** Fills the view of faults. */
export function startFaults({ operations, endpoints }: View): void {
  const choices = (names: readonly string[]) => names.map(name => el('option', {}, name));
  const kind = el('select', { 'aria-label': 'Example of' }, ...choices(Object.keys(examples)));
  const all = el('option', { value: '*' }, 'for all requests');
  const target = el(
    'select',
    { 'aria-label': 'for', class: 'grow' },
    all,
    ...choices([...operations, ...endpoints]),
  );
  const order = () => ({ operation: target.value, kind: kind.value, ...examples[kind.value as FaultKind] });
  const editor = jsonEditor('Fault', order(), 'Switch on', async text => {
    await api.addFault(text);
    say('The fault is on.');
  });
  for (const select of [kind, target])
    select.addEventListener('change', () => {
      (editor.elements[0] as HTMLTextAreaElement).value = asJson(order());
    });
  byId('fault-editor').replaceChildren(el('div', { class: 'bar' }, 'Example: ', kind, target), editor);
  byId('presets').replaceChildren(...Object.keys(presets).map(presetButton));
  byId('clear-faults').addEventListener('click', () => void attempt(api.clearFaults));
}

/** Creates the button that switches a preset on. */
function presetButton(name: string): HTMLElement {
  const [description = '', ...faults] = presets[name] ?? [];
  const switchOn = async () => {
    for (const fault of faults) await api.addFault(JSON.stringify({ operation: '*', ...fault }));
    say(`Switched on: ${name}.`);
  };
  const on = button('', () => attempt(switchOn), { class: 'preset' });
  on.append(el('strong', {}, name), el('span', { class: 'quiet' }, description));
  return on;
}

/** Shows the active faults with their counters. */
export function showFaults(faults: readonly ActiveFault[]): void {
  byId('faults-count').textContent = faults.length === 0 ? '' : count(faults.length);
  byId<HTMLButtonElement>('clear-faults').disabled = faults.length === 0;
  byId('no-faults').hidden = faults.length > 0;
  const rows = faults.map(fault => ({
    key: String(fault.number),
    content: String(fault.hits),
    make: () => faultRow(fault),
  }));
  showKeyed(byId('faults'), rows);
}

function faultRow(fault: ActiveFault): HTMLElement {
  const { number, operation, kind, hits } = fault;
  const target = operation === '*' ? 'all requests' : operation;
  return el(
    'li',
    { class: 'bar' },
    el(
      'div',
      { class: 'grow' },
      el('strong', {}, `${kind} ${target}`),
      ' ',
      el('span', { class: 'quiet' }, faultText(fault)),
    ),
    el('span', { class: `badge ${hits > 0 ? 'bad' : ''}` }, `${count(hits)} ${hits === 1 ? 'hit' : 'hits'}`),
    button('Switch off', () => attempt(() => api.removeFault(number)), {
      'aria-label': `Switch off ${kind} ${target}`,
    }),
  );
}

/** Returns the options of a fault: `status: 503, times: 2`. */
export function faultText({ kind, operation, number, hits, ...options }: ActiveFault): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`.slice(0, optionLength))
    .join(', ');
}
