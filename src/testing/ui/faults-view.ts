import type { ActiveFault } from '../faults/kinds.ts';
import type { FaultPreset } from '../faults/presets.ts';
import type { View } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { button, byId, el, showKeyed } from './dom.ts';
import { startFaultForm } from './fault-form.ts';
import { faultText } from './fault-text.ts';
import { count } from './format.ts';
import { say } from './message.ts';

/** Fills the view of faults. */
export function startFaults(view: View): void {
  startFaultForm(view);
  byId('presets').replaceChildren(...view.presets.map(presetButton));
  byId('clear-faults').addEventListener('click', () => void attempt(api.clearFaults));
}

function presetButton(preset: FaultPreset): HTMLElement {
  const on = button('', () => switchOn(preset), { class: 'preset' });
  on.append(el('strong', {}, preset.name), el('span', { class: 'quiet' }, preset.description));
  return on;
}

async function switchOn({ name, faults }: FaultPreset): Promise<void> {
  const done = await attempt(async () => {
    for (const fault of faults) await api.addFault(fault);
  });
  if (done) say(`Switched on: ${name}.`);
}

/** Shows the faults that are on, with their counters. */
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
    make: () => el('li', { class: 'hint' }, 'No fault is on.'),
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
