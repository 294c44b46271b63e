import type { LiveUpdate, RequestSummary } from '../server/protocol.ts';
import { api, attempt } from './api.ts';
import { connectSnippets } from './connect.ts';
import { ask, byId, el, moveWithArrows, showKeyed } from './dom.ts';
import { clock, duration, statusClass } from './format.ts';

/** Number of rows fetched at a time. */
const pageSize = 200;
/** Maximum number of rows while the list is scrolled to the top. */
const keptRows = 400;
/** Delay after the last keystroke before a filter applies, in milliseconds. */
const typingMs = 200;

/** Request list, newest first, with its filter. */
export class RequestList {
  readonly #onFilter: (filter: URLSearchParams) => void;
  #requests: RequestSummary[] = [];
  #more = false;
  #open = '';
  #frame = 0;
  #clears = -1;

  /** @param onFilter Called with the new filter. */
  constructor(onFilter: (filter: URLSearchParams) => void) {
    this.#onFilter = onFilter;
    let typing: ReturnType<typeof setTimeout> | undefined;
    const form = byId<HTMLFormElement>('request-filter');
    form.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#onFilter(this.filter), typingMs);
    });
    form.addEventListener('submit', event => event.preventDefault());
    byId('older').addEventListener('click', () => void attempt(() => this.#fetchOlder()));
    byId('clear-requests').addEventListener('click', () => void this.#clear());
    moveWithArrows(byId('requests'));
  }

  /** The filter, as query parameters. */
  get filter(): URLSearchParams {
    const fields = new FormData(byId<HTMLFormElement>('request-filter'));
    return new URLSearchParams(
      [...fields].filter(([, value]) => value !== '').map(([name, value]) => [name, String(value)]),
    );
  }

  /** Fetches the newest requests. */
  async refresh(): Promise<void> {
    const { requests, more } = await api.log(this.#query());
    this.#requests = [...requests];
    this.#more = more;
    this.#show();
  }

  /** Shows which request is open. */
  open(number: string): void {
    this.#open = number;
    this.#show();
  }

  /** Applies an update of the live stream. */
  update({ requests = [], overflow = false, overview }: LiveUpdate): void {
    const cleared = overview !== undefined && this.#clears >= 0 && overview.clears !== this.#clears;
    if (overview !== undefined) this.#clears = overview.clears;
    if (overflow || cleared) void this.refresh().catch(() => {});
    for (const request of requests) this.#place(request);
    if (requests.length > 0) this.#show();
  }

  #place(request: RequestSummary): void {
    const at = this.#requests.findIndex(({ number }) => number <= request.number);
    if (at >= 0 && this.#requests[at]?.number === request.number) this.#requests[at] = request;
    else if (at >= 0) this.#requests.splice(at, 0, request);
    else if (!this.#more) this.#requests.push(request);
    if (this.#requests.length <= keptRows || byId('request-scroll').scrollTop > 0) return;
    this.#requests.length = pageSize;
    this.#more = true;
  }

  async #fetchOlder(): Promise<void> {
    const before = this.#requests.at(-1)?.number;
    if (before === undefined || !this.#more) return;
    const query = this.#query();
    query.set('before', String(before));
    const { requests, more } = await api.log(query);
    if (this.#requests.at(-1)?.number !== before) return;
    this.#requests.push(...requests);
    this.#more = more;
    this.#show();
  }

  async #clear(): Promise<void> {
    if (await ask('Clear the request log?', 'Clear')) await attempt(api.clearRequests);
  }

  #query(): URLSearchParams {
    const query = this.filter;
    query.set('limit', String(pageSize));
    return query;
  }

  /** Renders the list, at most once per frame. */
  #show(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      showKeyed(
        byId('requests'),
        grouped(this.#requests).map(({ request, retry }) => rowOf(request, retry, this.#open)),
      );
      byId('older').hidden = !this.#more;
      this.#showEmpty();
    });
  }

  #showEmpty(): void {
    const empty = byId('requests-empty');
    empty.hidden = this.#requests.length > 0;
    const filtered = [...this.filter].length > 0;
    const state = filtered ? 'filtered' : 'none';
    if (empty.hidden || empty.dataset.state === state) return;
    empty.dataset.state = state;
    empty.replaceChildren(
      ...(filtered
        ? [el('p', {}, 'No requests match the filter.')]
        : [
            el('h3', {}, 'No requests yet'),
            el('p', {}, 'Connect a client: each request appears here as it arrives.'),
            ...connectSnippets(),
          ]),
    );
  }
}

/** A request in the list. */
interface GroupedRequest {
  readonly request: RequestSummary;
  /** 0 for the first request of a call, 1 for its first retry. */
  readonly retry: number;
}

/** Puts the retries of a call below its first request; calls come newest first. */
function grouped(requests: readonly RequestSummary[]): GroupedRequest[] {
  const byNumber = new Map(requests.map(request => [request.number, request]));
  const calls = new Map<number, RequestSummary[]>();
  for (const request of requests) {
    let first = request;
    for (
      let earlier: RequestSummary | undefined = first;
      earlier;
      earlier = byNumber.get(earlier.retryOf ?? -1)
    )
      first = earlier;
    calls.set(first.number, [request, ...(calls.get(first.number) ?? [])]);
  }
  return [...calls.values()].flatMap(attempts => attempts.map((request, retry) => ({ request, retry })));
}

function rowOf(request: RequestSummary, retry: number, open: string) {
  const { number, status, durationMs, fault } = request;
  const isOpen = String(number) === open;
  return {
    key: String(number),
    content: `${status} ${durationMs} ${fault} ${isOpen} ${retry}`,
    make: () => el('li', { class: retry > 0 && 'retry' }, makeRow(request, retry, isOpen)),
  };
}

function makeRow(request: RequestSummary, retry: number, isOpen: boolean): HTMLElement {
  const { number, time, method, path, query, status, durationMs, reason, fault } = request;
  const running = durationMs === undefined;
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return el(
    'a',
    { class: 'row', href: `#/requests/${number}`, 'aria-current': isOpen ? 'true' : undefined },
    el('span', { class: `badge ${running ? 'quiet' : statusClass(status)}` }, statusText(status, running)),
    el('span', { class: 'method' }, method),
    el(
      'span',
      { class: 'what', title: path },
      shortPath(path),
      search !== '' && el('span', { class: 'quiet' }, `?${search}`),
    ),
    retry > 0 && el('span', { class: 'tag' }, `retry ${retry}`),
    isLegacy(path) && el('span', { class: 'tag' }, 'legacy'),
    fault !== undefined && el('span', { class: 'tag fault' }, `fault: ${fault}`),
    el('time', { datetime: time, title: time }, clock(time)),
    el('span', { class: 'duration' }, duration(durationMs)),
    reason !== undefined && el('span', { class: 'reason' }, reason),
  );
}

function statusText(status: number | undefined, running: boolean): string {
  if (status !== undefined) return String(status);
  return running ? '…' : '–––';
}

const isLegacy = (path: string): boolean => /\/api\/v1\/(?!rest\/)/.test(path);

/** Returns a path without the prefix of its interface. */
function shortPath(path: string): string {
  const start = path.indexOf('/api/v1/');
  if (start < 0) return path;
  const rest = path.slice(start + '/api/v1'.length);
  return rest.startsWith('/rest/') ? rest.slice('/rest'.length) : rest;
}
