// A service in memory, written from its specification. It decides at random what the specification does not show. The rows of
// `test/endpoints.ts` define what is not written here.
import { rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { respondLegacy } from './legacy.ts';
import { type Condition, type Fields, inForm, messages, Refusal, type Reply } from './replies.ts';
import { folderOf, kindOf, ServiceState } from './state.ts';

/** Row of a request, and the identifier in its path. Throws for a request that the specification lacks. */
function find(method: string, path: string): readonly [row: NamedRow, identifier: string] {
  for (const row of rows) {
    const pattern = new RegExp(`^${row.path.replace('{identifier}', '([^/]+)')}$`);
    const found = row.method === method && pattern.exec(path);
    if (found) return [row, decodeURIComponent(found[1] ?? '')];
  }
  throw new Error(`the specification has no ${method} ${path}`);
}

export class AnyService extends ServiceState {
  /** Responds to a request. */
  respond(method: string, url: URL, headers: Headers, text: string): Response {
    this.hasRefusedLegacy = false;
    const reply = this.#reply(method, url, headers, text);
    const { contentType, end } = this.decisions;
    const body =
      reply.status === 204
        ? null
        : (reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)));
    const ends: Record<string, HeadersInit> = {
      length: { 'content-length': `${Buffer.byteLength(body ?? '')}` },
      chunked: { 'transfer-encoding': 'chunked' },
      close: {},
    };
    return new Response(body, {
      status: reply.status,
      // An empty body that ends with the connection looks like one that was cut off.
      headers: { ...(contentType && { 'content-type': contentType }), ...ends[body ? end : 'length'] },
    });
  }

  #reply(method: string, { pathname, searchParams: query }: URL, headers: Headers, text: string): Reply {
    const [row, identifier] = find(method, pathname.slice(this.decisions.basePath.length));
    const isRest = row.authentication === 'X-Team-ApiKey';
    try {
      const body = method === 'POST' ? JSON.parse(text) : {};
      const key = isRest ? this.apiKey : this.legacyKey;
      if (headers.get(row.authentication) !== key || (!isRest && query.get('team_id') !== this.teamId))
        throw new Refusal('key', messages.key);
      return isRest ? this.#rest(row, identifier, query, body) : respondLegacy(this, row, query, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return isRest ? this.#refuse(error.condition, error.message) : this.#refuseLegacy(error.message);
    }
  }

  /** Responds that the server failed, as documented. */
  fail(): Response {
    const { status, body } = this.#refuse('failure', messages.failure);
    return Response.json(body, { status });
  }

  #refuse(condition: Condition, text: string): Reply {
    const { words, rangeForm, status } = this.decisions;
    const message = words(text);
    const body = { status: condition === 'key' ? 401 : 'error', message };
    const reply: Reply = { status: status[condition], body };
    return condition === 'range' ? inForm(rangeForm, reply, message) : reply;
  }

  #refuseLegacy(text: string): Reply {
    const { legacyForm, legacyStatus, words } = this.decisions;
    this.hasRefusedLegacy = true;
    const message = words(text);
    return inForm(legacyForm, { status: legacyStatus, body: { status: 'error', message } }, message);
  }

  #acknowledge(message: string): Reply {
    const { acknowledged: status, acknowledgement } = this.decisions;
    const bodies: Record<string, Reply> = {
      documented: { status, body: { status: 'success', message } },
      empty: { status },
      'null message': { status, body: { status: 'success', message: null } },
      'message only': { status, body: { message } },
    };
    return bodies[acknowledgement] as Reply;
  }

  #rest(row: NamedRow, identifier: string, query: URLSearchParams, body: Fields): Reply {
    if (row.name === 'events.record') return this.#event(body);
    if (row.method === 'POST') return this.#create(row, body);
    const id = identifier && this.#idOf(kindOf(row), identifier);
    if (row.method === 'DELETE') return this.#delete(folderOf(row), id);
    if (id) return this.#get(this.recordsOf(row), id);
    return row.fields.query ? this.#page(row, query) : this.#listing(this.recordsOf(row));
  }

  /** Returns the records of a listing or of a read: the service's own, or the responses of the rows. */
  recordsOf(row: NamedRow): readonly Fields[] {
    const { [row.name.split('.')[0] as 'senders']: own } = this;
    const reads = rows.filter(each => each.method === 'GET' && folderOf(each) === folderOf(row));
    return own ?? reads.flatMap(({ response }) => response as Fields);
  }

  /** Returns an id with its prefix; the specification allows both forms in a path. */
  #idOf(kind: string, identifier: string): string {
    if (/^[a-zA-Z0-9]{22}$/.test(identifier)) return `${kind}_${identifier}`;
    return identifier.replace(/_[^_]*$/, '') === kind ? identifier : `another ${identifier}`;
  }

  /** Whether the service refuses a name a second time at this path. */
  isUnique(path: string): boolean {
    const { uniqueListNames: list, uniqueCategoryNames } = this.decisions;
    return { list, 'post/category': uniqueCategoryNames }[path] ?? true;
  }

  #create(row: NamedRow, body: Fields): Reply {
    const { name } = body;
    const fields = Object.keys(row.fields.body ?? {});
    if (typeof name !== 'string' || name === '' || Object.keys(body).some(field => !fields.includes(field)))
      throw new Refusal('malformed', messages.malformed);
    const used = `${folderOf(row)} ${name}`;
    if (this.isUnique(folderOf(row)) && this.names.has(used)) throw new Refusal('used', messages.used);
    this.names.add(used);
    this.acted += 1;
    const { created: status, extra } = this.decisions;
    return { status, body: { ...this.#made(row, body), ...extra } };
  }

  /** Returns a new record: by default, as the row of its operation shows it. */
  #made(row: NamedRow, body: Fields): Fields {
    if (row.name === 'lists.create') return this.addList(`${body.name}`);
    const id = this.id(kindOf(row));
    if (row.name === 'domains.create') {
      // Beyond what a number of JavaScript holds exactly: `JSON.rawJSON` writes the digits.
      const times = { created: exactly('1766394250613907001'), updated: exactly(this.decisions.updated) };
      return { ...JSON.parse(`${row.response}`), ...body, id, ...times };
    }
    const created = row.name === 'postCategories.create' ? '2025-12-22T09:04:10.613Z' : this.time();
    return { ...(row.response as Fields), ...body, id, created, updated: created };
  }

  #delete(folder: string, id: string): Reply {
    const ids = this.deletable[folder] ?? new Map();
    if (ids.get(id) === 'system') throw new Refusal('forbidden', 'this resource can not be deleted');
    if (!ids.delete(id)) {
      if (folder === 'campaign' && this.decisions.unknownCampaign === 'succeed')
        return this.#acknowledge('deleted');
      throw new Refusal('unknown', messages.unknown);
    }
    this.acted += 1;
    return this.#acknowledge('The resource was deleted.');
  }

  #get(records: readonly Fields[], id: string): Reply {
    const found = records.find(record => record.id === id);
    if (!found) throw new Refusal('unknown', messages.unknown);
    return { status: this.decisions.ok, body: { ...found, ...this.decisions.extra } };
  }

  #listing(records: readonly Fields[]): Reply {
    const { ok, emptyListing, notFoundStatus, words, blank, extra } = this.decisions;
    if (records.length === 0 && emptyListing === 'not found')
      return { status: notFoundStatus, body: { status: 'error', message: words(messages.unknown) } };
    if (records.length === 0)
      return emptyListing === '' ? { status: 204 } : { status: ok, text: emptyListing };
    const blanked = (record: Fields) =>
      Object.entries(record).map(([name, value]) => [name, value === '' ? blank : value]);
    return {
      status: ok,
      body: records.map(record => ({ ...Object.fromEntries(blanked(record)), ...extra })),
    };
  }

  #page(row: NamedRow, query: URLSearchParams): Reply {
    const isContacts = row.name === 'contacts.list';
    const { searchParameter, maxContacts, maxLists, defaultLists, overLimit } = this.decisions;
    const { offsetAtEnd, rangeForm, refusesUnknownParameters } = this.decisions;
    const [max, usual] = isContacts ? [maxContacts, 10] : [maxLists, defaultLists];
    const [parameter, longest] = isContacts ? [searchParameter, 255] : ['search', 100];
    const known = ['offset', 'limit', parameter];
    if (refusesUnknownParameters && [...query.keys()].some(name => !known.includes(name)))
      throw new Refusal('range', 'unknown parameter');
    const search = query.get(parameter)?.toLowerCase() ?? 'any';
    if (search.length < 2 || search.length > longest)
      throw new Refusal('range', 'search is too short or too long');
    const texts = isContacts ? ['firstName', 'lastName', 'email'] : ['name'];
    const isFound = (record: Fields) =>
      !query.has(parameter) || texts.some(field => `${record[field]}`.toLowerCase().includes(search));
    const found = this.inOrder(this.recordsOf(row)).filter(isFound);
    const offset = Number(query.get('offset') ?? 0);
    let limit = Number(query.get('limit') ?? usual);
    if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1)
      throw new Refusal('range', 'offset or limit is out of range');
    if (limit > max) {
      if (overLimit === 'refuse') throw new Refusal('range', `limit must be at most ${max}`);
      limit = overLimit === 'cap' ? max : overLimit === 'default' ? usual : 0;
    }
    if (!offsetAtEnd || offset === 0 || offset < found.length)
      return this.#listing(found.slice(offset, offset + limit));
    const message = 'offset is past the last record';
    // Gateways respond with 404 in other forms.
    const form = offsetAtEnd === 404 ? 'documented' : rangeForm;
    return inForm(form, { status: offsetAtEnd, body: { status: 'error', message } }, message);
  }

  #event(event: Fields): Reply {
    const { name, identifier, data, time, ...others } = event;
    const { eventRequires, acceptsEventOfUnknown } = this.decisions;
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    const isValid =
      eventRequires.every(field => event[field] !== undefined) &&
      [name, identifier, ...Object.values(Object(data))].every(isText) &&
      (time === undefined || Number.isInteger(time)) &&
      Object.keys(others).length === 0;
    if (!isValid) throw new Refusal('malformed', messages.malformed);
    const isKnown = this.contacts.some(({ id, email }) => id === identifier || email === identifier);
    if (!isKnown && !acceptsEventOfUnknown) throw new Refusal('unknown', messages.unknown);
    this.acted += 1;
    return this.#acknowledge('The event was tracked.');
  }
}

/** Writes digits that a number would round into JSON. */
const exactly = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
