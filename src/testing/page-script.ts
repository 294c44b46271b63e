/**
 * What the page does, as text that runs in a browser. Everything that comes from records is put in as text, never as
 * markup.
 */
export const pageScript = `
'use strict';
const byId = id => document.getElementById(id);
const form = byId('fault-form');
const shown = {};

function part(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function row(title, detail, mark, good) {
  const line = part('div', '');
  line.setAttribute('role', 'listitem');
  line.append(part('b', title));
  if (mark !== undefined) line.append(' ', part('span', mark, good ? 'good' : 'bad'));
  if (detail) line.append(part('small', detail));
  return line;
}

const flags = ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'];
const text = value => value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const rows = {
  requests: request => row(
    request.method + ' ' + request.path,
    [request.time.slice(11, 19), request.fault && 'fault: ' + request.fault,
      Object.entries(request.query).map(pair => pair.join('=')).join(' '), text(request.body)].filter(Boolean).join(' · '),
    request.status === undefined ? 'no answer' : String(request.status),
    request.status < 400,
  ),
  contacts: contact => row(
    contact.email,
    [contact.firstName + ' ' + contact.lastName, contact.company, contact.tags.map(tag => '#' + tag).join(' '),
      contact.lists.join(', '), text(contact.customFields) === '{}' ? '' : text(contact.customFields)]
      .filter(detail => detail.trim()).join(' · '),
    flags.filter(flag => contact[flag]).join(' '),
    false,
  ),
  lists: list => row(list.name, list.id, [list.system && 'system', list.deleted && 'deleted'].filter(Boolean).join(' '), !list.deleted),
  tags: tag => row(tag.name, tag.id),
  events: event => row(event.name, [event.identifier, text(event.data)].join(' · '), new Date(event.time * 1000).toISOString(), true),
  faults: fault => {
    const { number, operation, kind, hits, ...order } = fault;
    const line = row(kind + ' ' + operation, text(order), hits + (hits === 1 ? ' hit' : ' hits'), hits === 0);
    const off = part('button', 'Switch off');
    off.onclick = () => change('DELETE', '/_sandbox/faults/' + number);
    line.prepend(off);
    return line;
  },
};

function fill(name, records, count) {
  byId(name + '-count').textContent = count;
  const now = JSON.stringify(records);
  if (shown[name] === now) return;
  shown[name] = now;
  byId(name).replaceChildren(...(records.length ? records.map(rows[name]) : [part('p', 'none')]));
}

async function refresh() {
  try {
    const answer = await fetch('/_sandbox/view?search=' + encodeURIComponent(byId('search').value));
    const view = await answer.json();
    for (const name of Object.keys(rows)) fill(name, view[name], view.counts[name] ?? view[name].length);
    if (!form.operation.options.length)
      for (const name of ['*', ...view.operations]) form.operation.append(new Option(name));
    byId('state').textContent = 'live';
    byId('state').className = '';
  } catch {
    byId('state').textContent = 'the sandbox does not answer';
    byId('state').className = 'lost';
  }
}

async function change(method, path, body) {
  const answer = await fetch(path, { method, body });
  byId('problem').textContent = answer.ok ? '' : (await answer.json()).message;
  await refresh();
}

function showFields() {
  for (const input of form.querySelectorAll('[data-for]'))
    input.parentElement.hidden = input.disabled = !input.dataset.for.split(' ').includes(form.kind.value);
}

form.kind.onchange = showFields;
form.onsubmit = event => {
  event.preventDefault();
  const order = {};
  for (const [name, value] of new FormData(form))
    if (value !== '') order[name] = form[name].type === 'number' ? Number(value) : value;
  void change('POST', '/_sandbox/faults', JSON.stringify(order));
};
byId('reset').onclick = () => change('POST', '/_sandbox/reset');
byId('search').oninput = refresh;

async function live() {
  if (!document.hidden) await refresh();
  setTimeout(live, 1000);
}
showFields();
live();
`;
