import type { RequestSummary } from '../server/protocol.ts';
import { api } from './api.ts';
import { el, type Row } from './dom.ts';
import { clock, duration } from './format.ts';
import type { Found } from './list.ts';

/** Finds the newest requests that contain every word of a text. */
export async function findRequests(text: string, limit: number): Promise<Found> {
  const { requests, more } = await api.log(new URLSearchParams({ text, limit: String(limit) }));
  return { rows: grouped(requests).map(rowOf), more };
}

/** A request in the list. */
interface GroupedRequest {
  readonly request: RequestSummary;
  /** 0 for the first request of a call, 1 for its first retry. */
  readonly retry: number;
}

/** Puts the retries of a call below its first request; calls come newest first. */
function grouped(requests: readonly RequestSummary[]): GroupedRequest[] {
  const calls = new Map<number | undefined, RequestSummary[]>();
  for (const request of requests.toReversed()) {
    const attempts = calls.get(request.retryOf) ?? [];
    attempts.push(request);
    calls.set(request.number, attempts);
  }
  const newestFirst = new Set([...calls.values()].reverse());
  return [...newestFirst].flatMap(attempts => attempts.map((request, retry) => ({ request, retry })));
}

function rowOf({ request, retry }: GroupedRequest): Row {
  const { number, time, method, path, query, durationMs, reason, faults } = request;
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const shownPath = path.replace(/^.*\/api\/v1(?=\/)/, '');
  const link = () =>
    el(
      'a',
      { class: 'row', href: `#/requests/${number}` },
      statusBadge(request),
      el(
        'span',
        { class: 'what', title: path },
        `${method} ${shownPath}`,
        search.length > 0 && el('span', { class: 'quiet' }, `?${search.join('&')}`),
      ),
      retry > 0 && el('span', { class: 'tag' }, `retry ${retry}`),
      faults.length > 0 && el('span', { class: 'tag fault' }, `fault: ${faults.join(', ')}`),
      el('time', { class: 'time', datetime: time, title: time }, clock(time)),
      el('span', { class: 'time' }, duration(durationMs)),
      reason !== undefined && el('span', { class: 'reason bad' }, reason),
    );
  return {
    key: String(number),
    content: JSON.stringify([request, retry]),
    make: () => el('li', { class: retry > 0 ? 'retry' : '' }, link()),
  };
}

/** Creates the badge with the status of a request: `…` while it runs. */
export function statusBadge({ status, durationMs }: Pick<RequestSummary, 'status' | 'durationMs'>) {
  if (durationMs === undefined) return el('span', { class: 'badge' }, '…');
  if (status === undefined)
    return el('span', { class: 'badge bad', title: 'no response', 'aria-label': 'no response' }, '–––');
  const kind = status < 300 ? 'good' : status < 400 ? '' : 'bad';
  return el('span', { class: `badge ${kind}` }, String(status));
}
