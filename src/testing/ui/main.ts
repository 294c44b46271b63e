import type { Overview } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { startConnect } from './connect.ts';
import { byId, markCurrent, say } from './dom.ts';
import { showFaults, startFaults } from './faults.ts';
import { count } from './format.ts';
import { List } from './list.ts';
import { RecordsView } from './records.ts';
import { RequestPane } from './request-detail.ts';
import { findRequests } from './requests.ts';

const views = ['requests', 'data', 'faults', 'connect'];

async function start(): Promise<void> {
  const view = await api.view();
  const pane = new RequestPane();
  const list = new List(byId('requests-view'), findRequests);
  const data = new RecordsView(view);
  startConnect(view);
  startFaults(view);
  /** Shows what the URL names: a view, and what is open in it. */
  const go = () => {
    const [name = '', first = '', second = ''] = location.hash.replace(/^#\//, '').split('/').map(decoded);
    if (!views.includes(name)) location.replace('#/requests');
    else if (name === 'data' && !Object.hasOwn(view.kinds, first)) location.replace('#/data/contacts');
    else {
      for (const each of views) byId(`${each}-view`).hidden = each !== name;
      markCurrent(byId('views').querySelectorAll('a'));
      if (name === 'requests') {
        list.open(first !== '');
        void pane.open(first);
      }
      if (name === 'data') void data.open(first, second);
    }
  };
  addEventListener('hashchange', go);
  go();
  live(overview => {
    byId('requests-count').textContent = count(overview.requests);
    showFaults(overview.faults);
    data.update(overview);
    void list.refresh();
    void pane.refresh();
  });
}

/** Decodes a part of the URL; anyone can have written it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** Calls a function whenever anything changes in the sandbox, and when the connection is back. */
function live(onChange: (overview: Overview) => void): void {
  const source = new EventSource('/_sandbox/live');
  source.addEventListener('open', () => showState('live', 'good'));
  source.addEventListener('error', () => showState('the sandbox does not respond', 'bad'));
  source.addEventListener('message', ({ data }) => onChange(JSON.parse(data)));
}

function showState(text: string, className: string): void {
  const connection = byId('connection');
  if (connection.textContent === text) return;
  connection.textContent = text;
  connection.className = className;
}

/** Lets buttons clear the request log, and reset the sandbox. */
function startTools(): void {
  byId('clear-requests').addEventListener('click', () => {
    if (confirm('Clear the request log?')) void attempt(api.clearRequests);
  });
  byId('reset').addEventListener('click', async () => {
    const question = 'Reset to the seed? All changes to records, all requests and all faults will be lost.';
    if (confirm(question) && (await attempt(api.reset))) say('Reset to the seed.');
  });
}

/** Lets the key `/` focus the search field of the view. */
function startKeys(): void {
  addEventListener('keydown', event => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = document.querySelector<HTMLInputElement>('main:not([hidden]) input[type=search]');
    if (field === null) return;
    event.preventDefault();
    field.focus();
  });
}

startTools();
startKeys();
void start();
