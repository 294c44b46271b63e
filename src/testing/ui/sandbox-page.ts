import { html } from 'htm/preact';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ActiveFault, FaultKind } from '../faults/fault-kinds.ts';
import type { RecordedRequest } from '../request-log.ts';
import type { RecordPage, RecordView, RequestList, View } from '../server/control-json.ts';
import { call, usePlace, useView } from './page-state.ts';
import { changesIn, faultText, pretty, recordTexts, resultOf, timeOf, titleOf } from './page-texts.ts';

/** Time for which a message is shown, in milliseconds. */
const shownMs = 6000;
/** Maximum number of requests or records in a list. */
const maxListed = 1000;

/** Shows a message at the bottom of the page; screen readers announce it. */
let say = (_text: string): void => {};

/** Runs an action of a button, and shows the error if it fails. */
const attempt = (action: () => Promise<unknown>) => () =>
  void action().catch(error => say((error as Error).message));

function Message() {
  const [message, setMessage] = useState('');
  useEffect(() => {
    say = text => {
      setMessage(text);
      setTimeout(() => setMessage(''), shownMs);
    };
  }, []);
  return html`<div id="message" role="status" aria-live="polite">${message && html`<p>${message}</p>`}</div>`;
}

async function reset(): Promise<void> {
  const question = 'Reset to the seed? All changes to records, all requests and all faults will be lost.';
  if (!confirm(question)) return;
  await call('POST', 'reset');
  say('Reset to the seed.');
}

function Page() {
  const [view, connection] = useView();
  const [name = '', first = '', second = ''] = usePlace();
  const link = (to: string, text: string, count = '') => html`
    <a href="#/${to}" aria-current=${name === to ? 'true' : undefined}>${text} <span>${count}</span></a>
  `;
  const { faults = [], requests = 0 } = view ?? {};
  return html`
    <header class="bar">
      <h1>Email marketing sandbox</h1>
      <p id="connection" role="status" class=${connection === 'live' ? 'good' : 'bad'}>${connection}</p>
      <nav aria-label="Views" class="grow">
        ${link('requests', 'Requests', requests.toLocaleString('en'))}
        ${link('data', 'Data')}
        ${link('faults', 'Faults', faults.length > 0 ? String(faults.length) : '')}
      </nav>
      <button type="button" class="danger" onClick=${attempt(reset)}>Reset…</button>
    </header>
    ${view && name === 'data' && html`<${Data} view=${view} kind=${first || 'contacts'} id=${second} />`}
    ${view && name === 'faults' && html`<${Faults} view=${view} />`}
    ${view && !['data', 'faults'].includes(name) && html`<${Requests} view=${view} open=${first} />`}
    <${Message} />
  `;
}

/** Shows a list, and the selected item next to it. On a narrow screen, the item replaces the list. */
const split = (id: string, isOpen: boolean, list: unknown, detail: unknown, before?: unknown) => html`
  <main id=${id} class=${isOpen ? 'opened' : ''}>
    ${before}
    <section class="pane list">${list}</section>
    <section class="pane detail">${detail}</section>
  </main>
`;

const search = (label: string, text: string, setText: (text: string) => void) => html`
  <input type="search" class="grow" aria-label=${label} placeholder=${label} value=${text}
    onInput=${(event: InputEvent) => setText((event.target as HTMLInputElement).value)} />
`;

function Requests({ view, open }: { readonly view: View; readonly open: string }) {
  const [requests, setRequests] = useState<readonly RecordedRequest[]>([]);
  const [filter, setFilter] = useState('');
  useEffect(() => {
    void call<RequestList>('GET', `requests?limit=${maxListed}`).then(found =>
      setRequests(found.requests.toReversed()),
    );
  }, [view.revision]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (request: RecordedRequest) => {
    const text = `${JSON.stringify(request)} ${resultOf(request)}`.toLowerCase();
    return words.every(word => text.includes(word));
  };
  const found = words.length === 0 ? requests : requests.filter(isFound);
  const request = requests.find(({ number }) => String(number) === open);
  const clear = async () => {
    if (confirm('Clear the request log?')) await call('DELETE', 'requests');
  };
  const list = html`
    <div class="bar">
      <h2>Requests</h2>
      ${search('Filter requests, such as POST 409', filter, setFilter)}
      <button type="button" onClick=${attempt(clear)}>Clear…</button>
    </div>
    <div class="scroll" tabindex="-1">
      <ol id="requests" class="rows">${found.map(each => html`<${RequestRow} key=${each.number} request=${each} open=${open} />`)}</ol>
      ${view.requests === 0 && html`<p class="hint">No requests yet. Connect a client to this address. See also its <a href="/openapi.json">OpenAPI document</a>.</p>`}
      ${view.requests > 0 && found.length === 0 && html`<p class="hint">No requests match the filter.</p>`}
    </div>
  `;
  const gone =
    open === ''
      ? 'Choose a request to see its headers and bodies.'
      : 'This request is no longer in the request log.';
  const detail = html`
    <div id="request-detail" class="stack">
      <a class="back" href="#/requests">← All requests</a>
      ${request ? html`<${RequestDetail} request=${request} />` : html`<p>${gone}</p>`}
    </div>
  `;
  return split('requests-view', open !== '', list, detail);
}

const badge = ({ status, durationMs }: RecordedRequest) => html`
  <span class="badge ${status !== undefined && status < 300 ? 'good' : 'bad'}">${status ?? (durationMs === undefined ? '…' : '–––')}</span>
`;

function RequestRow({ request, open }: { readonly request: RecordedRequest; readonly open: string }) {
  const { number, time, method, path, query, durationMs, error, appliedFaults = [] } = request;
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return html`
    <li>
      <a class="row" href="#/requests/${number}" aria-current=${String(number) === open ? 'true' : undefined}>
        ${badge(request)}
        <span class="what" title=${path}>${method} ${path.replace(/^.*\/api\/v1(?=\/)/, '')}${parameters.length > 0 && html`<span class="quiet">?${parameters.join('&')}</span>`}</span>
        ${appliedFaults.length > 0 && html`<span class="tag fault">fault: ${appliedFaults.map(({ kind }) => kind).join(', ')}</span>`}
        <time class="time">${timeOf(time)}</time>
        <span class="time">${durationMs === undefined ? '…' : `${durationMs} ms`}</span>
        ${error && html`<span class="reason bad">${error.reason}</span>`}
      </a>
    </li>
  `;
}

function RequestDetail({ request }: { readonly request: RecordedRequest }) {
  const { method, path, time, operation, endpoint, error, response, durationMs, body } = request;
  const { appliedFaults = [] } = request;
  const table = (title: string, values: object = {}) =>
    Object.keys(values).length > 0 &&
    html`<h3>${title}</h3><table>${Object.entries(values).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>`;
  const bodyOf = (title: string, text: string) =>
    html`<h3>${title}</h3>${text === '' ? html`<p class="quiet">none</p>` : html`<pre tabindex="0" role="group" aria-label=${title}>${pretty(text)}</pre>`}`;
  const isCut = appliedFaults.at(-1)?.at === 'body';
  const noResponse =
    durationMs === undefined
      ? 'No response yet.'
      : 'No response: the connection was cut, or the client disconnected.';
  const facts = {
    ...(error && { Error: `${error.reason} (${error.kind}, rule ${error.rule})` }),
    ...Object.fromEntries(
      appliedFaults.map(fault => [
        `Fault ${fault.number}`,
        `${fault.kind} ${fault.operation} ${faultText(fault)}`,
      ]),
    ),
    Operation: operation ?? endpoint ?? '–',
    Received: time,
  };
  return html`
    <h2>${badge(request)} ${method} ${path}</h2>
    ${table('Facts', facts)}
    ${table('Query', request.query)}
    ${bodyOf('Request body', body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))}
    ${response ? bodyOf(isCut ? 'Response body (only the first half was sent)' : 'Response body', response.text) : html`<p>${noResponse}</p>`}
    ${table('Request headers', request.headers)}
    ${table('Response headers', response?.headers)}
  `;
}

interface EditorProps {
  readonly label: string;
  readonly value: object;
  readonly action: string;
  readonly submit: (text: string) => Promise<unknown>;
}

/** A form that edits a value as JSON. If the server rejects it, the text is kept and the error is shown. */
function Editor({ label, value, action, submit }: EditorProps) {
  const [error, setError] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const text = JSON.stringify(value, undefined, 2);
  const send = async (event: Event) => {
    event.preventDefault();
    await submit(area.current?.value ?? '').then(
      () => setError(''),
      failure => setError(failure.message),
    );
  };
  return html`
    <form class="stack" onSubmit=${send}>
      <textarea ref=${area} key=${text} aria-label="${label}, JSON" aria-invalid=${error === '' ? undefined : 'true'} rows=${Math.min(text.split('\n').length, 24)} spellcheck="false">${text}</textarea>
      <p class="error" role="alert">${error}</p>
      <div class="bar"><button class="primary">${action}</button></div>
    </form>
  `;
}

interface RecordProps {
  readonly view: View;
  readonly kind: string;
  readonly id: string;
}

function Data({ view, kind, id }: RecordProps) {
  const [text, setText] = useState('');
  const [page, setPage] = useState<RecordPage>();
  const query = new URLSearchParams({ search: text, limit: String(maxListed) });
  // Runs before painting, so that records are never shown under the title of another kind.
  useLayoutEffect(() => {
    setPage(undefined);
    setText('');
  }, [kind]);
  useEffect(() => {
    void call<RecordPage>('GET', `records/${kind}?${query}`).then(setPage, () => setPage(undefined));
  }, [view.revision, kind, text]);
  const { singular = 'record' } = view.kinds[kind] ?? {};
  const kinds = html`
    <nav id="kinds" aria-label="Kinds of record">
      ${Object.keys(view.kinds).map(name => html`<a href="#/data/${name}" aria-current=${name === kind ? 'true' : undefined}>${titleOf(name)} <span>${view.counts[name]?.toLocaleString('en')}</span></a>`)}
    </nav>
  `;
  const row = (record: RecordView) => {
    const { name, flags, detail } = recordTexts(record, page?.names ?? {});
    return html`
      <li key=${record.id}><a class="row" href="#/data/${kind}/${record.id}" aria-current=${record.id === id ? 'true' : undefined}>
        <span class="what">${name}</span>${flags.map(flag => html`<span class="tag">${flag}</span>`)}<span class="reason quiet">${detail}</span>
      </a></li>
    `;
  };
  const list = html`
    <div class="bar">
      <h2>${titleOf(kind)}</h2>
      ${search('Search records', text, setText)}
      <a href="#/data/${kind}/new">Add ${singular}</a>
    </div>
    <div class="scroll" tabindex="-1">
      <ul id="records" class="rows">${page?.records.map(row)}</ul>
      ${page?.total === 0 && html`<p class="hint">${text === '' ? `No ${titleOf(kind).toLowerCase()} yet.` : 'No matches.'}</p>`}
    </div>
  `;
  const detail = html`
    <div id="record-detail" class="stack">
      <a class="back" href="#/data/${kind}">← ${titleOf(kind)}</a>
      <${RecordDetail} key="${kind}/${id}" view=${view} kind=${kind} id=${id} />
    </div>
  `;
  return split('data-view', id !== '', list, detail, kinds);
}

function RecordDetail({ view, kind, id }: RecordProps) {
  const [opened, setOpened] = useState<RecordPage>();
  const { singular = 'record', required = [], fields = {} } = view.kinds[kind] ?? {};
  const path = `records/${kind}/${encodeURIComponent(id)}`;
  // Loaded once, so that polling does not replace text that is being edited.
  const load = () => {
    if (id !== '' && id !== 'new') void call<RecordPage>('GET', path).then(setOpened, () => {});
  };
  useEffect(load, []);
  const record = opened?.records[0];
  const add = async (json: string) => {
    const added = await call<RecordView>('POST', `records/${kind}`, json);
    location.hash = `#/data/${kind}/${added.id}`;
    say('Added.');
  };
  const save = async (json: string) => {
    await call('PATCH', path, changesIn(json, record ?? {}));
    load();
    say('Saved.');
  };
  const remove = async () => {
    if (!confirm(`Delete this ${singular} permanently?`)) return;
    await call('DELETE', path);
    location.hash = `#/data/${kind}`;
    say('Deleted.');
  };
  if (id === '') return html`<p>Choose a record to edit it, or add one.</p>`;
  if (id === 'new')
    return html`
      <h2>New ${singular}</h2>
      <p class="quiet">Fields: ${Object.keys(fields).join(', ')}.</p>
      <${Editor} label="Record" value=${Object.fromEntries(required.map(name => [name, '']))} action="Add ${singular}" submit=${add} />
    `;
  if (record === undefined) return null;
  const names = Object.entries(opened?.names ?? {});
  return html`
    <h2>Edit ${singular}</h2>
    <${Editor} key=${record.id} label="Record" value=${record} action="Save" submit=${save} />
    <button type="button" class="danger" onClick=${attempt(remove)}>Delete…</button>
    ${names.length > 0 && html`<h3>Names of the ids</h3><table>${names.map(([each, name]) => html`<tr><th scope="row">${each}</th><td>${name}</td></tr>`)}</table>`}
  `;
}

/** An example of each kind of fault, with its options. */
const examples: Readonly<Record<FaultKind, object>> = {
  fail: { status: 503, retryAfter: 2, after: 0, times: 2, acted: false },
  latency: { ms: 1000, after: 0, times: 10, acted: false },
  drop: { at: 'head', after: 0, times: 1, acted: true },
  stall: { at: 'body', after: 0, times: 1, acted: false },
  // Removing a hold releases its requests.
  hold: { when: { query: { limit: '10' } }, after: 0, times: 1, acted: false },
};

function Faults({ view: { operations, endpoints, faults } }: { readonly view: View }) {
  const [kind, setKind] = useState<FaultKind>('fail');
  const [operation, setOperation] = useState('*');
  const select = (
    label: string,
    value: string,
    values: readonly string[],
    set: (value: never) => void,
  ) => html`
    <select aria-label=${label} value=${value} onChange=${(event: Event) => set((event.target as HTMLSelectElement).value as never)}>
      ${values.map(each => html`<option>${each}</option>`)}
    </select>
  `;
  const add = async (text: string) => {
    await call('POST', 'faults', text);
    say('The fault is active.');
  };
  const row = (fault: ActiveFault) => html`
    <li key=${fault.number} class="bar">
      <div class="grow"><strong>${fault.kind} ${fault.operation}</strong> <span class="quiet">${faultText(fault)}</span></div>
      <span class="badge">${fault.hits} ${fault.hits === 1 ? 'hit' : 'hits'}</span>
      <button type="button" aria-label="Switch off ${fault.kind} ${fault.operation}" onClick=${attempt(() => call('DELETE', `faults/${fault.number}`))}>Switch off</button>
    </li>
  `;
  return html`
    <main id="faults-view">
      <section class="pane">
        <h2>Fault as JSON</h2>
        <div class="bar">Example: ${select('Example of', kind, Object.keys(examples), setKind)} ${select('for', operation, ['*', ...operations, ...endpoints], setOperation)}</div>
        <${Editor} label="Fault" value=${{ operation, kind, ...examples[kind] }} action="Switch on" submit=${add} />
      </section>
      <section class="pane">
        <div class="bar"><h2 class="grow">Active faults</h2><button type="button" disabled=${faults.length === 0} onClick=${attempt(() => call('DELETE', 'faults'))}>Switch all off</button></div>
        <ul id="faults" class="rows">${faults.map(row)}</ul>
        ${faults.length === 0 && html`<p class="hint">No active faults. Add one as JSON.</p>`}
      </section>
    </main>
  `;
}

render(html`<${Page} />`, document.body);
