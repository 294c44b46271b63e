// A service in memory, written from its specification alone, whose every "not shown" is decided at random. It does not
// merge what it is sent: `test/client/operations.test.ts` checks requests.
import { type Decisions, decide } from './decisions.ts';

export type Fields = Record<string, unknown>;

/** Conditions under which the service responds with an error. */
type Condition = keyof Decisions['status'] | 'legacy';

/** Response of the service. An `undefined` body is empty. */
interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
}

/** A request as it arrived. */
interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
}

/** Error that ends the handling of a request. */
class Refusal extends Error {
  readonly condition: Condition;

  constructor(condition: Condition, message: string) {
    super(message);
    this.condition = condition;
  }
}

/** Folders of what can be deleted, with the prefix of the ids. */
const kinds: Readonly<Record<string, string>> = {
  list: 'list',
  tag: 'tag',
  'template/email': 'template',
  campaign: 'campaign',
};

const time = '2025-12-22T09:04:10.613Z';

export class AnyService {
  readonly decisions: Decisions;
  readonly #apiKey = 'rest-key-of-the-team';
  readonly #legacyKey: string;
  readonly #teamId = 'team/7 & more';
  /** Records as the service holds them, in the order of their creation. */
  readonly contacts: Fields[] = [];
  readonly lists: Fields[] = [];
  readonly senders: Fields[] = [];
  readonly postTags: Fields[] = [];
  /** Names that are used, with the path that creates them. */
  readonly #names = new Set<string>();
  /** Ids that can be deleted, by the path in front of them; `system` ones are refused. */
  readonly deletable: Record<string, Map<unknown, 'usual' | 'system'>> = {};
  /** Number of requests that changed something. */
  acted = 0;
  /** The condition of the last error, and its HTTP status. */
  refused: { readonly condition: Condition; readonly status: number } | undefined;
  #count = 0;

  constructor(seed: number) {
    this.decisions = decide(seed);
    const { upTo, chance, isApart, contacts, lists } = this.decisions;
    this.#legacyKey = isApart ? 'legacy-key-of-the-team' : this.#apiKey;
    for (let index = 0; index < contacts; index++) this.contacts.push(this.#contact(index));
    for (let index = 0; index < lists; index++) this.#addList(`List ${index}`);
    for (let index = upTo(3); index > 0; index--) {
      const name = `Post tag ${index}`;
      this.postTags.push({ id: this.#id('post_tag', true), name, created: time, updated: time });
      const email = `sender${index}@example.com`;
      this.senders.push({ id: this.#id('sender'), name, email, isWhitelisted: chance(0.5) });
    }
    for (const [folder, kind] of Object.entries(kinds))
      this.deletable[folder] = new Map(
        (['usual', 'usual', 'system'] as const).map(state => [this.#id(kind, true), state]),
      );
  }

  /** Base URLs of both interfaces, and the other options of a client. */
  clientOptions() {
    const { basePath, isApart, searchParameter } = this.decisions;
    return {
      baseUrl: `https://rest.example.test${basePath}`,
      apiKey: this.#apiKey,
      legacyBaseUrl: `https://${isApart ? 'legacy' : 'rest'}.example.test${basePath}`,
      legacyApiKey: this.#legacyKey,
      teamId: this.#teamId,
      contactSearchParameter: searchParameter,
    };
  }

  /** Responds to a request. */
  respond(method: string, url: URL, headers: Headers, text: string): Response {
    this.refused = undefined;
    const { status, body, text: replied } = this.#reply(method, url, headers, text);
    const { contentType } = this.decisions;
    const written = replied ?? (body === undefined ? '' : JSON.stringify(body));
    return new Response(status === 204 ? null : written, {
      status,
      headers: contentType ? { 'content-type': contentType } : {},
    });
  }

  #reply(method: string, { pathname, searchParams: query }: URL, headers: Headers, text: string): Reply {
    const path = pathname.slice(this.decisions.basePath.length);
    const body = method === 'POST' ? JSON.parse(text) : {};
    try {
      if (path.startsWith('/api/v1/rest/')) {
        if (headers.get('x-team-apikey') !== this.#apiKey) throw new Error('wrong key');
        return this.#rest({ method, path: path.slice('/api/v1/rest/'.length), query, body });
      }
      if (headers.get('api_key') !== this.#legacyKey || query.get('team_id') !== this.#teamId)
        throw new Error('wrong key or team id');
      return this.#legacy({ method, path, query, body });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refuse(error.condition, error.message);
    }
  }

  #refuse(condition: Condition, text: string): Reply {
    const { words, rangeForm, legacyForm, legacyStatus, status: statuses } = this.decisions;
    const status = condition === 'legacy' ? legacyStatus : statuses[condition];
    this.refused = { condition, status };
    const forms: Partial<Record<Condition, string>> = { legacy: legacyForm, range: rangeForm };
    return inForm(forms[condition] ?? 'documented', status, words(text));
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
    const [, folder = path, identifier] =
      /^(list|tag|post\/tag|template\/email|campaign)\/(.*)$/.exec(path) ?? [];
    if (method === 'DELETE' && identifier) return this.#delete(folder, identifier);
    if (method === 'GET' && identifier) return this.#postTag(identifier);
    const { uniqueListNames, uniqueCategoryNames, searchParameter } = this.decisions;
    const named = (kind: string) => (name: string) => ({ id: this.#id(kind), name, created: time });
    const handlers: Record<string, () => Reply> = {
      'POST domain': () => this.#create(request, true, name => this.#domain(name)),
      'POST list': () => this.#create(request, uniqueListNames, name => this.#addList(name)),
      'POST tag': () => this.#create(request, true, named('tag')),
      'POST post/category': () => this.#create(request, uniqueCategoryNames, named('post_category')),
      'GET list': () => this.#list(this.lists, request, ['name'], 'search'),
      'GET contact': () =>
        this.#list(this.contacts, request, ['firstName', 'lastName', 'email'], searchParameter),
      'GET post/tag': () => this.#listing(this.postTags),
      'GET sender': () => this.#listing(this.senders),
      'POST events/custom': () => this.#act(() => this.#acknowledge('The event was tracked.')),
    };
    const handler = handlers[`${method} ${path}`];
    if (!handler) throw new Error(`the specification has no ${method} ${path}`);
    return handler();
  }

  #act(reply: () => Reply): Reply {
    this.acted += 1;
    return reply();
  }

  #create({ path, body }: Arrived, isUnique: boolean, make: (name: string) => Fields): Reply {
    const used = `${path} ${body.name}`;
    if (isUnique && this.#names.has(used))
      throw new Refusal('used', 'resource with this name already exists');
    this.#names.add(used);
    const { created: status, extra } = this.decisions;
    return this.#act(() => ({ status, body: { ...make(`${body.name}`), ...extra } }));
  }

  #domain(name: string): Fields {
    const dkim = { host: `x.${name}`, type: 'TXT', textValue: 'v=DKIM1' };
    // Beyond what a number of JavaScript holds exactly: `JSON.rawJSON` writes the digits.
    const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
    const created = rawJSON('1766394250613907001');
    return { id: this.#id('domain'), name, verified: false, dkim, created, updated: 0 };
  }

  #delete(folder: string, identifier: string): Reply {
    const ids = this.deletable[folder] ?? new Map();
    const id = identifier.includes('_') ? identifier : `${kinds[folder]}_${identifier}`;
    if (ids.get(id) === 'system') throw new Refusal('forbidden', 'this resource can not be deleted');
    if (ids.delete(id)) return this.#act(() => this.#acknowledge('It was deleted.'));
    if (folder === 'campaign' && this.decisions.unknownCampaign === 'succeed')
      return this.#acknowledge('deleted');
    throw new Refusal('unknown', 'resource not found');
  }

  #postTag(identifier: string): Reply {
    const found = this.postTags.find(({ id }) => String(id).endsWith(identifier));
    if (!found) throw new Refusal('unknown', 'resource not found');
    return { status: this.decisions.ok, body: { ...found, ...this.decisions.extra } };
  }

  #listing(records: readonly Fields[]): Reply {
    const { ok, emptyListing, blank, extra } = this.decisions;
    if (records.length === 0)
      return emptyListing === '' ? { status: 204 } : { status: ok, text: emptyListing };
    const blanked = (record: Fields) =>
      Object.entries(record).map(([name, value]) => [name, value === '' ? blank : value]);
    return {
      status: ok,
      body: records.map(record => ({ ...Object.fromEntries(blanked(record)), ...extra })),
    };
  }

  #list(all: readonly Fields[], { query }: Arrived, fields: string[], parameter: string): Reply {
    const { maxContacts, maxLists, defaultLists, overLimit, refusesUnknownParameters } = this.decisions;
    const [max, usual] = all === this.contacts ? [maxContacts, 10] : [maxLists, defaultLists];
    const known = ['offset', 'limit', parameter];
    if (refusesUnknownParameters && [...query.keys()].some(name => !known.includes(name)))
      throw new Refusal('range', 'unknown parameter');
    const search = (query.get(parameter) ?? '').toLowerCase();
    const found = this.inOrder(all).filter(record =>
      fields.some(field => `${record[field]}`.toLowerCase().includes(search)),
    );
    const offset = Number(query.get('offset') ?? 0);
    let limit = Number(query.get('limit') ?? usual);
    if (limit > max) {
      if (overLimit === 'refuse') throw new Refusal('range', `limit must be at most ${max}`);
      limit = overLimit === 'cap' ? max : overLimit === 'default' ? usual : 0;
    }
    return this.#listing(found.slice(offset, offset + limit));
  }

  #legacy({ method, path, query, body }: Arrived): Reply {
    const { legacySuccess: status, blank, trackData, refusesTrackOfUnknown } = this.decisions;
    const isTrack = path === '/api/v1/contact/track';
    if (method !== 'POST' || (!isTrack && path !== '/api/v1/contact/identify'))
      throw new Error(`the specification has no ${method} ${path}`);
    const email = isTrack ? query.get('email') : body.email;
    const isKnown = this.contacts.some(contact => contact.email === email);
    if (isTrack && !isKnown && refusesTrackOfUnknown) throw new Refusal('legacy', 'resource not found');
    if (!isKnown) this.contacts.push({ ...this.#contact(this.#count), email });
    const data = { encryptedTeamId: 'T9x==', encryptedId: 'E7==', lastName: blank, company: blank, ...body };
    return this.#act(() => ({
      status: 200,
      body: { status, message: 'OK', data: isTrack ? trackData : data },
    }));
  }

  /** Records of a listing in the order that the service was decided to have. */
  inOrder(records: readonly Fields[]): readonly Fields[] {
    const { order } = this.decisions;
    if (order === 'oldest') return records;
    if (order === 'newest') return [...records].reverse();
    // A fixed order that is not that of creation.
    return [...records].sort((a, b) => hashOf(a.id) - hashOf(b.id));
  }

  /** Creates an id: as documented, or as the service was decided to write them. */
  #id(kind: string, isDocumented = false): string | number {
    const number = ++this.#count;
    const { ids } = this.decisions;
    if (ids === 'number' && !isDocumented) return number;
    if (ids === 'short' && !isDocumented) return `${kind}_${number}`;
    return `${kind}_${`${number}aZ`.padEnd(22, 'b7Q')}`;
  }

  #contact(index: number): Fields {
    const { one, upTo, chance, hasContactWithoutEmail } = this.decisions;
    const hasNoEmail = hasContactWithoutEmail && index % 40 === 7;
    return {
      id: this.#id('contact'),
      firstName: one('Ada', 'Zoë', 'İpek', 'Ægir', '', 'Grace', '李', "O'Hara"),
      lastName: one('Byron', 'Ångström', '', 'Hopper', 'van der Berg', 'ß'),
      email: hasNoEmail ? '' : `Person${index}+x@mail${index % 3}.example.com`,
      customFields: chance(0.5) ? {} : { [`${one('custom_field_', 'field_')}7`]: 'gold' },
      unsubscribed: chance(0.2),
      trackData: one('', 'utm_source=news'),
      contactSource: one(1, 2, 3, 4, 9),
      ltv: upTo(100_000),
    };
  }

  #addList(name: string): Fields {
    const type = this.decisions.one(0, 1, -3, 4096);
    const record = { id: this.#id('list'), name, type, created: time, updated: time };
    this.lists.push(record);
    return record;
  }
}

/** A number that belongs to an id. */
const hashOf = (id: unknown): number =>
  [...`${id}`].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);

/** Returns an error in one of several forms, most of which are not documented. Under 200, nobody could read some of them. */
function inForm(form: string, status: number, message: string): Reply {
  const notSuccess = status < 300 ? 400 : status;
  const number = status < 400 ? 400 : status;
  const replies: Record<string, Reply> = {
    documented: { status, body: { status: 'error', message } },
    'text status': { status, body: { status: `${number}`, message } },
    number: { status, body: { status: number, message } },
    error: { status, body: { error: message } },
    'error object': { status, body: { error: { code: 7, message } } },
    text: { status: notSuccess, text: message },
    html: { status: notSuccess, text: `<!doctype html><title>${message}</title>` },
    empty: { status: notSuccess },
  };
  return replies[form] as Reply;
}
