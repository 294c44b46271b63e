// A service in memory, written from its specification alone, whose every "not shown" is decided at random. What it does not
// define by hand follows from the rows of `test/endpoints.ts`.
import { rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { respondLegacy } from './legacy.ts';
import {
  type Arrived,
  type Condition,
  type Fields,
  inForm,
  messages,
  parseBody,
  Refusal,
  type Reply,
} from './replies.ts';
import { folderOf, kindOf, ServiceState } from './state.ts';

/** What a path of the REST interface has: the kind of its ids, and what can be done there. */
interface Folder {
  readonly kind: string;
  /** `GET x`, and `GET x/{id}`, if they are documented. */
  readonly records?: readonly Fields[];
  readonly isListed: boolean;
  readonly isReadById: boolean;
  /** Of a listing in pages: the parameter for a text, its greatest length, and the fields in which it is found. */
  readonly search?: readonly [parameter: string, longest: number, ...fields: readonly string[]];
  /** `POST x` with these fields. */
  readonly make?: (body: Fields) => Fields;
  readonly body: readonly string[];
}

/** Whether an operation is of records of the REST interface. */
const isRest = ({ name, authentication }: NamedRow) =>
  authentication === 'X-Team-ApiKey' && name !== 'events.record';

export class AnyService extends ServiceState {
  /** Every path with records: `GET x`, `GET x/{id}`, `POST x`, and `DELETE x/{id}` of what can be deleted. */
  readonly #folders: Readonly<Record<string, Folder>> = Object.fromEntries(
    rows.filter(isRest).map(row => [folderOf(row), this.#folder(row)]),
  );

  /** Returns the records of a listing or of a read: its own, or those of the rows. */
  recordsOf(row: NamedRow): readonly Fields[] {
    const { [row.name.split('.')[0] as 'senders']: own } = this;
    const reads = rows.filter(each => each.method === 'GET' && folderOf(each) === folderOf(row));
    return own ?? reads.flatMap(({ response }) => response as Fields);
  }

  #folder(row: NamedRow): Folder {
    const folder = folderOf(row);
    const others = rows.filter(each => folderOf(each) === folder);
    const reads = others.filter(({ method }) => method === 'GET');
    const [listing] = reads.filter(({ returns }) => returns === 'listing');
    const kind = kindOf(row);
    const searches: Record<string, Folder['search']> = {
      list: ['search', 100, 'name'],
      contact: [this.decisions.searchParameter, 255, 'firstName', 'lastName', 'email'],
    };
    const makers: Record<string, Folder['make']> = {
      domain: ({ name }) => this.#domain(`${name}`),
      list: ({ name }) => this.addList(`${name}`),
    };
    const created = others.find(({ name }) => name.endsWith('.create'));
    return {
      kind,
      ...(reads[0] && { records: this.recordsOf(reads[0]) }),
      isListed: listing !== undefined,
      isReadById: reads.some(({ identifier }) => identifier !== undefined),
      ...(listing?.fields.query && { search: searches[folder] ?? ['search', 100, 'name'] }),
      ...(created && { make: makers[folder] ?? (body => this.#made(created, body)) }),
      body: Object.keys(created?.fields.body ?? {}),
    };
  }

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
      // Nobody could tell an empty body that ends with the connection from one that was cut off.
      headers: { ...(contentType && { 'content-type': contentType }), ...ends[body ? end : 'length'] },
    });
  }

  #reply(method: string, { pathname, searchParams: query }: URL, headers: Headers, text: string): Reply {
    const path = pathname.slice(this.decisions.basePath.length);
    const isRest = path.startsWith('/api/v1/rest/');
    try {
      const body = method === 'POST' ? parseBody(text) : {};
      if (isRest) {
        if (headers.get('x-team-apikey') !== this.apiKey) throw new Refusal('key', messages.key);
        return this.#rest({ method, path: path.slice('/api/v1/rest/'.length), query, body });
      }
      if (headers.get('api_key') !== this.legacyKey || query.get('team_id') !== this.teamId)
        throw new Refusal('legacy', messages.key);
      return respondLegacy(this, { method, path, query, body });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refuse(isRest ? error.condition : 'legacy', error.message);
    }
  }

  /** Responds that the server failed, as documented. */
  fail(): Response {
    const { status, body } = this.#refuse('failure', messages.failure);
    return Response.json(body, { status });
  }

  #refuse(condition: Condition, text: string): Reply {
    const { words, rangeForm } = this.decisions;
    const message = words(text);
    if (condition === 'legacy') return this.#refuseLegacy(message);
    const reply: Reply = {
      status: this.decisions.status[condition],
      body: { status: condition === 'key' ? 401 : 'error', message },
    };
    return condition === 'range' ? inForm(rangeForm, reply, message) : reply;
  }

  #refuseLegacy(message: string): Reply {
    const { legacyForm, legacyStatus } = this.decisions;
    this.hasRefusedLegacy = true;
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

  #rest(request: Arrived): Reply {
    const { method, path } = request;
    if (method === 'POST' && path === 'events/custom') return this.#event(request.body);
    const folder = Object.keys(this.#folders).findLast(each => `${path}/`.startsWith(`${each}/`)) ?? '';
    const found = this.#folders[folder];
    const identifier = decodeURIComponent(path.slice(folder.length + 1));
    if (method === 'DELETE' && found && identifier)
      return this.#delete(folder, this.#idOf(found.kind, identifier));
    if (method === 'GET' && identifier && found?.records && found.isReadById)
      return this.#get(found.records, this.#idOf(found.kind, identifier));
    if (method === 'POST' && !identifier && found?.make) return this.#create(folder, request, found);
    if (method !== 'GET' || identifier || !found?.records || !found.isListed)
      throw new Error(`the specification has no ${method} ${path}`);
    const { records, search } = found;
    return search ? this.#page(records, request, ...search) : this.#listing(records);
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

  #create(path: string, { body }: Arrived, { make, body: fields }: Folder): Reply {
    const { name } = body;
    if (typeof name !== 'string' || name === '' || Object.keys(body).some(field => !fields.includes(field)))
      throw new Refusal('malformed', messages.malformed);
    const { created, extra } = this.decisions;
    const used = `${path} ${name}`;
    if (this.isUnique(path) && this.names.has(used)) throw new Refusal('used', messages.used);
    this.names.add(used);
    this.acted += 1;
    return { status: created, body: { ...make?.(body), ...extra } };
  }

  /** A new record as the row of an operation shows it. */
  #made(row: NamedRow, body: Fields): Fields {
    const kind = kindOf(row);
    const created = kind === 'post_category' ? '2025-12-22T09:04:10.613Z' : this.time();
    return { ...(row.response as Fields), ...body, id: this.id(kind), created, updated: created };
  }

  #domain(name: string): Fields {
    const dns = (type: string, textValue: string) => ({ host: `x.${name}`, type, textValue });
    const flags = ['verified', ...['returnPath', 'dkim', 'track', 'dmarc', 'gpt'].map(of => `${of}Verified`)];
    return {
      id: this.id('domain'),
      name,
      ...Object.fromEntries(flags.map(flag => [flag, false])),
      dkim: dns('TXT', 'v=DKIM1'),
      returnPath: dns('CNAME', 'bounce.example.com'),
      track: dns('CNAME', ''),
      dmarc: dns('TXT', 'v=DMARC1'),
      gpt: dns('TXT', ''),
      dkimConfig: '{"Domain":"x","PubKey":"p","PrivKey":"secret","Selector":"s","Headers":[]}',
      dmarcFailureReason: '',
      // Beyond what a number of JavaScript holds exactly: `JSON.rawJSON` writes the digits.
      created: exactly('1766394250613907001'),
      updated: exactly(this.decisions.updated),
    };
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

  #page(
    all: readonly Fields[],
    { query }: Arrived,
    parameter: string,
    longest: number,
    ...fields: readonly string[]
  ): Reply {
    const { maxContacts, maxLists, defaultLists, overLimit, refusesUnknownParameters } = this.decisions;
    const isContacts = all === this.contacts;
    const [max, usual] = isContacts ? [maxContacts, 10] : [maxLists, defaultLists];
    const known = ['offset', 'limit', parameter];
    if (refusesUnknownParameters && [...query.keys()].some(name => !known.includes(name)))
      throw new Refusal('range', 'unknown parameter');
    const search = query.get(parameter)?.toLowerCase();
    if (search !== undefined && (search.length < 2 || search.length > longest))
      throw new Refusal('range', 'search is too short or too long');
    const found = this.inOrder(all).filter(
      record =>
        search === undefined || fields.some(field => `${record[field]}`.toLowerCase().includes(search)),
    );
    const offset = Number(query.get('offset') ?? 0);
    let limit = Number(query.get('limit') ?? usual);
    if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1)
      throw new Refusal('range', 'offset or limit is out of range');
    if (limit > max) {
      if (overLimit === 'refuse') throw new Refusal('range', `limit must be at most ${max}`);
      limit = overLimit === 'cap' ? max : overLimit === 'default' ? usual : 0;
    }
    if (this.decisions.offsetAtEnd && offset > 0 && offset >= found.length) return this.#refuseOffset();
    return this.#listing(found.slice(offset, offset + limit));
  }

  #refuseOffset(): Reply {
    const { offsetAtEnd: status = 400, rangeForm } = this.decisions;
    const message = 'offset is behind the last record';
    // Gateways respond with 404 in other forms.
    const form = status === 404 ? 'documented' : rangeForm;
    return inForm(form, { status, body: { status: 'error', message } }, message);
  }

  #event({ name, identifier, data, time, ...others }: Fields): Reply {
    const given: Fields = { name, identifier, data };
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    const isMap = data === undefined || Object.values(Object(data)).every(value => typeof value === 'string');
    const isTime = time === undefined || Number.isInteger(time);
    if (
      this.decisions.eventRequires.some(field => given[field] === undefined) ||
      ![name, identifier].every(isText) ||
      !isMap ||
      !isTime ||
      Object.keys(others).length > 0
    )
      throw new Refusal('malformed', messages.malformed);
    const isKnown = this.contacts.some(({ id, email }) => id === identifier || email === identifier);
    if (!isKnown && !this.decisions.acceptsEventOfUnknown) throw new Refusal('unknown', messages.unknown);
    this.acted += 1;
    return this.#acknowledge('The event was tracked.');
  }
}

/** Writes digits into JSON that a number does not hold. */
const exactly = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
