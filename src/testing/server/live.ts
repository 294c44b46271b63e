import type { SandboxContext } from '../context.ts';
import type { RecordedRequest } from '../journal.ts';
import { requestFilter, summary } from './journal-view.ts';
import type { LiveUpdate, Overview } from './protocol.ts';

/** Milliseconds between two updates of a live stream. */
const updateMs = 100;
/** Requests that one update lists; beyond them the page fetches its list again. */
const maxRequestsPerUpdate = 500;
/** Milliseconds to wait before a page connects again when the stream ends. */
const reconnectMs = 1000;

/** Returns what changes while the sandbox serves. */
export function overview({ state, journal, faults, writer }: SandboxContext): Overview {
  return {
    counts: Object.fromEntries(Object.entries(state).map(([kind, records]) => [kind, records.size])),
    requests: journal.length,
    faults: faults.list(),
    revision: writer.revision,
    clears: writer.clears,
  };
}

/**
 * Sends server-sent events: the overview whenever it changes, and the requests that match the filter in a query.
 * @returns A function that stops them.
 */
export function streamLive(
  context: SandboxContext,
  query: URLSearchParams,
  send: (text: string) => void,
): () => void {
  const matches = requestFilter(context, query);
  const pending = new Set<RecordedRequest>();
  const stopListening = context.writer.listen(entry => pending.add(entry));
  let sent = '';
  const update = () => {
    const current = overview(context);
    const text = JSON.stringify(current);
    if (text === sent && pending.size === 0) return;
    send(eventOf({ ...(text === sent ? {} : { overview: current }), ...takePending(pending, matches) }));
    sent = text;
  };
  send(`retry: ${reconnectMs}\n\n`);
  update();
  const timer = setInterval(update, updateMs);
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

function takePending(
  pending: Set<RecordedRequest>,
  matches: (request: RecordedRequest) => boolean,
): Pick<LiveUpdate, 'requests' | 'overflow'> {
  const entries = [...pending];
  pending.clear();
  if (entries.length > maxRequestsPerUpdate) return { overflow: true };
  return { requests: entries.filter(matches).map(summary) };
}

function eventOf(update: LiveUpdate): string {
  return `data: ${JSON.stringify(update)}\n\n`;
}
