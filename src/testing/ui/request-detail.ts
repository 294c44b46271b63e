import type { RequestDetail } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { curlOf } from './curl.ts';
import { button, byId, type Child, codeBlock, copy, el, keepFocus, table } from './dom.ts';
import { faultText } from './faults.ts';
import { clock, duration, pretty } from './format.ts';
import { statusBadge } from './requests.ts';

/** Maximum length of a displayed body, in characters; copying takes all of it. */
const shownBodyLength = 200_000;

/** Details of a request, or a hint if none is open. */
export class RequestPane {
  #number = '';
  #isRunning = false;

  /** Opens a request by number; `''` closes it. */
  async open(number: string): Promise<void> {
    const pane = byId('request-detail');
    if (number !== this.#number) pane.scrollTop = 0;
    this.#number = number;
    const detail = number === '' ? undefined : await api.request(number).catch(() => undefined);
    if (this.#number !== number) return;
    this.#isRunning = detail !== undefined && detail.durationMs === undefined;
    const hint = 'Choose a request to see its headers and bodies, and to send it again.';
    const gone = 'This request is no longer in the request log.';
    const focused = pane.contains(document.activeElement) ? document.activeElement?.id : '';
    pane.replaceChildren(
      el('a', { class: 'back', href: '#/requests' }, '← All requests'),
      ...(detail ? contentOf(detail) : [el('p', { tabindex: '-1' }, number === '' ? hint : gone)]),
    );
    if (focused) document.getElementById(focused)?.focus();
    if (number !== '') keepFocus(pane.querySelector('[tabindex]'));
  }

  /** Shows the result of the open request as soon as there is one. */
  async refresh(): Promise<void> {
    if (this.#isRunning) await this.open(this.#number);
  }
}

function contentOf(detail: RequestDetail): readonly HTMLElement[] {
  return [
    heading(detail),
    actions(detail),
    facts(detail),
    table('Query', detail.query),
    body('Request body', detail.bodyText),
    responseBody(detail),
    table('Request headers', detail.headers),
    table('Response headers', detail.response?.headers ?? {}),
  ].filter(part => part !== false);
}

function heading(detail: RequestDetail): HTMLElement {
  const attributes = { id: 'request-title', tabindex: '-1' };
  return el('h3', attributes, statusBadge(detail), ` ${detail.method} ${detail.path}`);
}

function actions(detail: RequestDetail): HTMLElement {
  const curl = () => copy(curlOf(detail, location.origin), 'the curl command');
  const replay = async () => {
    const { number } = await api.replay(detail.number);
    location.hash = `#/requests/${number}`;
  };
  return el(
    'div',
    { class: 'bar' },
    button('Replay', () => attempt(replay), { id: 'replay', class: 'primary' }),
    button('Copy as curl', curl, { id: 'copy-curl' }),
  );
}

function facts(detail: RequestDetail): HTMLElement {
  const { number, time, endpoint, operation, error, appliedFaults = [], durationMs, retryOf } = detail;
  const list = el('dl', { class: 'facts' });
  const add = (name: string, ...value: readonly Child[]) =>
    list.append(el('dt', {}, name), el('dd', {}, ...value));
  const quiet = (text: string) => el('span', { class: 'quiet' }, text);
  if (error !== undefined)
    add('Error', el('strong', {}, error.reason), quiet(` (${error.kind}, rule ${error.rule})`));
  for (const fault of appliedFaults)
    add('Fault', el('strong', {}, `${fault.kind} ${fault.operation}`), quiet(` ${faultText(fault)}`));
  if (retryOf !== undefined)
    add('Retry of', el('a', { href: `#/requests/${retryOf}` }, `request ${retryOf}`));
  if (operation !== undefined) add('Operation', el('code', {}, operation));
  if (endpoint !== undefined) add('Endpoint', el('code', {}, endpoint));
  add('Received', el('time', { datetime: time }, `${clock(time)} (${time})`));
  add('Duration', duration(durationMs));
  add('Number', String(number));
  return list;
}

function responseBody({ response, appliedFaults, durationMs }: RequestDetail): HTMLElement {
  const why =
    durationMs === undefined
      ? 'No response yet.'
      : 'No response: the connection was cut, or the client disconnected.';
  if (response === undefined) return body('Response body', '', why);
  const cut = appliedFaults?.at(-1)?.at === 'body';
  return body(cut ? 'Response body (only the first half was sent)' : 'Response body', response.text);
}

function body(title: string, text: string, none = 'none'): HTMLElement {
  const shown = pretty(text);
  const cut = shown.length > shownBodyLength;
  const what = title.toLowerCase();
  return el(
    'section',
    {},
    el('h4', {}, title),
    text === ''
      ? el('p', { class: 'quiet' }, none)
      : codeBlock(cut ? shown.slice(0, shownBodyLength) : shown, what, text),
    cut && el('p', { class: 'quiet' }, 'Truncated. Use Copy for the whole body.'),
  );
}
