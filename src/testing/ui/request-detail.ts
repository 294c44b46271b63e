import type { RequestDetail } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { button, byId, type Child, copy, copyButton, el } from './dom.ts';
import { faultText } from './faults.ts';
import { clock, duration, pretty, statusClass } from './format.ts';
import { clientCodeOf, curlOf } from './snippets.ts';

/** Maximum length of a displayed body, in characters; copying takes all of it. */
const shownBodyLength = 200_000;

/** Details of a request, or a hint if none is open. */
export class RequestPane {
  #shown = '';

  /** Opens a request by number; `''` closes it. */
  async open(number: string): Promise<void> {
    this.#shown = number;
    const pane = byId('request-detail');
    byId('requests-view').classList.toggle('opened', number !== '');
    if (number === '') {
      pane.replaceChildren(
        el('p', { class: 'hint' }, 'Choose a request to see its headers and bodies, and to send it again.'),
      );
      return;
    }
    const found = await attempt(async () => {
      const detail = await api.request(number);
      if (this.#shown === number) show(pane, detail);
    });
    if (!found)
      pane.replaceChildren(
        backLink(),
        el('p', { class: 'hint' }, 'This request is no longer in the request log.'),
      );
  }

  /** Updates the open request when it ends. */
  async refresh(numbers: readonly number[]): Promise<void> {
    if (this.#shown !== '' && numbers.includes(Number(this.#shown))) await this.open(this.#shown);
  }
}

function show(pane: HTMLElement, detail: RequestDetail): void {
  const had = pane.contains(document.activeElement) ? (document.activeElement as HTMLElement).id : undefined;
  pane.scrollTop = 0;
  pane.replaceChildren(
    backLink(),
    heading(detail),
    actions(detail),
    facts(detail),
    table('Query', detail.query),
    body('Request body', detail.bodyText),
    responseBody(detail),
    table('Request headers', detail.headers),
    table('Response headers', detail.response?.headers ?? {}),
  );
  if (had !== undefined && had !== '') document.getElementById(had)?.focus();
}

function backLink(): HTMLElement {
  return el('a', { class: 'back', href: '#/requests' }, '← All requests');
}

function heading({ method, path, status, durationMs }: RequestDetail): HTMLElement {
  const text = status === undefined ? (durationMs === undefined ? '…' : 'no response') : String(status);
  return el(
    'h3',
    { class: 'request-title' },
    el('span', { class: `badge ${durationMs === undefined ? 'quiet' : statusClass(status)}` }, text),
    ` ${method} ${path}`,
  );
}

function actions(detail: RequestDetail): HTMLElement {
  return el(
    'div',
    { class: 'bar actions' },
    button('Replay', () => replay(detail.number), { id: 'replay', class: 'primary' }),
    button('Copy as curl', () => copy(curlOf(detail, location.origin), 'the curl command'), {
      id: 'copy-curl',
    }),
    button('Copy as client code', () => copy(clientCodeOf(detail), 'the client code'), { id: 'copy-code' }),
  );
}

async function replay(number: number): Promise<void> {
  await attempt(async () => {
    const sent = await api.replay(number);
    location.hash = `#/requests/${sent.number}`;
  });
}

function facts({
  number,
  time,
  endpoint,
  operation,
  error,
  appliedFault,
  durationMs,
}: RequestDetail): HTMLElement {
  const list = el('dl', { class: 'facts' });
  const add = (name: string, ...value: readonly Child[]) =>
    list.append(el('div', {}, el('dt', {}, name), el('dd', {}, ...value)));
  if (error !== undefined)
    add('Error', el('strong', {}, error.reason), el('span', { class: 'quiet' }, ` (${error.kind})`));
  if (appliedFault !== undefined)
    add(
      'Fault',
      el('strong', {}, `${appliedFault.kind} ${appliedFault.operation}`),
      el('span', { class: 'quiet' }, ` ${faultText(appliedFault)}`),
    );
  if (operation !== undefined) add('Operation', el('code', {}, operation));
  if (endpoint !== undefined) add('Endpoint', el('code', {}, endpoint));
  add('Received', el('time', { datetime: time }, `${clock(time)} (${time})`));
  add('Duration', duration(durationMs));
  add('Number', String(number));
  return list;
}

function responseBody({ response, appliedFault, durationMs }: RequestDetail): HTMLElement {
  const why =
    durationMs === undefined
      ? 'No response yet.'
      : 'No response: the connection was cut, or the client disconnected.';
  if (response === undefined) return section('Response body', el('p', { class: 'quiet' }, why));
  const cut = (appliedFault?.kind === 'stall' || appliedFault?.kind === 'drop') && appliedFault.at === 'body';
  return body(cut ? 'Response body (only the first half was sent)' : 'Response body', response.text);
}

function section(title: string, ...children: readonly Child[]): HTMLElement {
  return el('section', { class: 'part' }, el('h4', {}, title), ...children);
}

function table(title: string, values: Readonly<Record<string, string>>): HTMLElement {
  const entries = Object.entries(values);
  if (entries.length === 0) return section(title, el('p', { class: 'quiet' }, 'none'));
  const rows = entries.map(([name, value]) =>
    el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)),
  );
  return section(title, el('table', {}, el('tbody', {}, ...rows)));
}

function body(title: string, text: string): HTMLElement {
  if (text === '') return section(title, el('p', { class: 'quiet' }, 'none'));
  const shown = pretty(text);
  const cut = shown.length > shownBodyLength;
  return section(
    title,
    el(
      'div',
      { class: 'code' },
      el('pre', { tabindex: '0', 'aria-label': title }, cut ? shown.slice(0, shownBodyLength) : shown),
      copyButton(text, title.toLowerCase()),
    ),
    cut && el('p', { class: 'quiet' }, 'Truncated. Use Copy for the whole body.'),
  );
}
