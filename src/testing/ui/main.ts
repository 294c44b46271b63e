import type { LiveUpdate, Overview } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { startConnect } from './connect.ts';
import { ask, byId, say } from './dom.ts';
import { showFaults, startFaults } from './faults.ts';
import { count } from './format.ts';
import { RecordsView } from './records.ts';
import { RequestPane } from './request-detail.ts';
import { RequestList } from './request-list.ts';

const views = ['requests', 'data', 'faults', 'connect'] as const;
type ViewName = (typeof views)[number];

/** Reads the URL: a view, and what is open in it. */
function place(): { readonly view: ViewName; readonly first: string; readonly second: string } {
  const [name, first = '', second = ''] = location.hash
    .replace(/^#\//, '')
    .split('/')
    .map(decodeURIComponent);
  return { view: views.find(view => view === name) ?? 'requests', first, second };
}

async function start(): Promise<void> {
  const view = await api.view();
  const pane = new RequestPane();
  const data = new RecordsView(view);
  const list = new RequestList(filter => live.start(filter));
  const update = (change: LiveUpdate) => {
    if (change.overview !== undefined) showOverview(change.overview, data);
    list.update(change);
    void pane.refresh((change.requests ?? []).map(({ number }) => number));
  };
  const live = new Live(update, () => void list.refresh().catch(() => {}));
  startConnect(view);
  startFaults(view);
  showOverview(view, data);
  const go = () => {
    const { view: current, first, second } = place();
    showView(current);
    list.open(current === 'requests' ? first : '');
    if (current === 'requests') void pane.open(first);
    if (current === 'data') void data.open(first, second);
  };
  addEventListener('hashchange', go);
  live.start(list.filter);
  go();
}

function showView(current: ViewName): void {
  for (const view of views) byId(`${view}-view`).hidden = view !== current;
  for (const link of byId('views').querySelectorAll('a'))
    if (link.hash === `#/${current}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
}

function showOverview(overview: Overview, data: RecordsView): void {
  byId('requests-count').textContent = count(overview.requests);
  showFaults(overview.faults);
  data.update(overview);
}

function startReset(): void {
  byId('reset').addEventListener('click', async () => {
    const question =
      'Reset everything to the seed? All changes to records, all requests and all faults will be lost.';
    if (await ask(question, 'Reset')) if (await attempt(api.reset)) say('Reset to the seed.');
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

/** Live stream of the events in the sandbox. */
class Live {
  readonly #onUpdate: (update: LiveUpdate) => void;
  readonly #onConnect: () => void;
  #source: EventSource | undefined;

  /** @param onConnect Called each time the stream starts, so that the web page can fetch earlier events. */
  constructor(onUpdate: (update: LiveUpdate) => void, onConnect: () => void) {
    this.#onUpdate = onUpdate;
    this.#onConnect = onConnect;
  }

  /** Starts the stream, or restarts it with another filter. */
  start(filter: URLSearchParams): void {
    this.#source?.close();
    const source = new EventSource(`/_sandbox/live?${filter}`);
    source.addEventListener('open', () => {
      showState('live', 'live');
      this.#onConnect();
    });
    source.addEventListener('error', () => showState('lost', 'the sandbox does not respond'));
    source.addEventListener('message', ({ data }) => this.#onUpdate(JSON.parse(data)));
    this.#source = source;
  }
}

function showState(state: string, text: string): void {
  const connection = byId('connection');
  if (connection.textContent === text) return;
  connection.dataset.state = state;
  connection.textContent = text;
}

startReset();
startKeys();
void start();
