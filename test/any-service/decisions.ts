// What the specification does not show, decided at random: the same for the same seed.
import { seededRandom } from '../support/seeded-random.ts';

/** HTTP statuses of errors, except 401 and 429, which have their own meaning. */
const errorStatuses = [200, 400, 403, 404, 409, 410, 418, 422, 500, 503];

/** Random choices of one service. */
function choices(seed: number) {
  const random = seededRandom(seed);
  const one = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return {
    one,
    /** Returns `true` in this share of all cases. */
    chance: (share: number): boolean => random() < share,
    upTo: (max: number): number => Math.floor(random() * (max + 1)),
    errorStatus: (...likely: readonly number[]): number => one(...errorStatuses, ...likely),
  };
}

type Choices = ReturnType<typeof choices>;

const successes = ({ one, chance }: Choices) => ({
  basePath: one('', '', '/mail'),
  /** The legacy interface has its own address, and its own key. */
  isApart: chance(0.5),
  created: one(200, 200, 201, 202),
  ok: one(200, 200, 203, 206),
  acknowledged: one(200, 200, 201, 202, 204),
  /** Body of an acknowledgement under another status than 204. */
  acknowledgement: one('documented', 'documented', 'documented', 'empty', 'null message', 'message only'),
  /** `status` of a legacy success. */
  legacySuccess: one('200', '200', 'success', 'Success', 'ok', 'OK', 'done', '', 'Contact updated'),
  trackData: one<unknown>('Tags were updated.', undefined, null, ''),
  /** How a response states where its body ends: not at all if the connection closes there. */
  end: one('length', 'length', 'chunked', 'close'),
  contentType: one('application/json', 'application/json; charset=utf-8', 'text/plain', undefined),
});

const errors = ({ one, errorStatus }: Choices) => ({
  /** HTTP status of each error of the REST interface. */
  status: {
    key: errorStatus(401, 401, 401),
    used: errorStatus(409, 409),
    malformed: errorStatus(400, 400),
    unknown: errorStatus(404, 404),
    failure: one(200, 400, 418, 422, 500, 500, 502, 503),
    forbidden: errorStatus(405, 423),
    range: errorStatus(400, 416),
  },
  /** The meaning of messages is documented, but their wording can differ. */
  words: one(
    (text: string) => text,
    (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
    (text: string) => `Error: ${text}`,
  ),
  rangeForm: one('documented', 'documented', 'error', 'text', 'empty', 'html'),
  legacyForm: one(
    ...['documented', 'text status', 'number', 'error', 'error object', 'text', 'empty'],
    ...['failed', 'failure', 'success', 'errors', 'errors by field'],
  ),
  legacyStatus: one(200, 400, 400, 401, 403, 404, 409, 422, 500),
});

const listings = ({ one, chance, upTo }: Choices) => ({
  maxContacts: one(100, 100, 30),
  maxLists: one(100, 500),
  defaultLists: one(5, 10, 50, 100),
  /** Response to a `limit` over the maximum. */
  overLimit: one('refuse', 'refuse', 'cap', 'default', 'empty'),
  emptyListing: one('[]', '[]', 'null', '', 'not found'),
  /** Status of a listing that is empty because nothing was found. */
  notFoundStatus: one(200, 400, 403, 404, 404, 404, 410, 422),
  /** Status of the error for an offset past the last record; without one, the listing is empty. */
  offsetAtEnd: one(undefined, undefined, 400, 404, 416, 422),
  searchParameter: one('search', 'search', 'q', 'query', 'filter[text]', 'keyword'),
  refusesUnknownParameters: chance(0.2),
  order: one('oldest', 'newest', 'shuffled'),
  contacts: one(0, 1, 29, 30, 31, upTo(99), 99, 100, 101, upTo(260)),
  lists: one(0, 1, upTo(30), 99, 100, upTo(130)),
});

const records = ({ one, chance }: Choices) => ({
  fieldPrefix: one('custom_field_', 'field_'),
  /** Value of an empty text. */
  blank: one<unknown>('', '', null, undefined),
  hasContactWithoutEmail: chance(0.3),
  /** Form of ids that are not part of a path. */
  ids: one('documented', 'documented', 'short', 'number'),
  milliseconds: chance(0.5),
  /** Fields that are not documented. */
  extra: one<object>({}, { rank: 7 }, { error: null }, { status: 'active' }, { message: 'hi' }),
  /** Time of a domain's last update, in nanoseconds. */
  updated: one('0', '1766394250613907001'),
});

const rules = ({ one, chance }: Choices) => ({
  uniqueListNames: chance(0.5),
  uniqueCategoryNames: chance(0.5),
  eventRequires: one<readonly string[]>(['name', 'identifier'], ['name', 'identifier', 'data'], ['name'], []),
  acceptsEventOfUnknown: chance(0.5),
  requiresBothArrays: chance(0.5),
  trackOfUnknown: one('refuse', 'create', 'ignore'),
  newEmailOfUnknown: one('refuse', 'create old', 'create new'),
  emailCase: one('exact', 'insensitive'),
  unknownCampaign: one('refuse', 'succeed'),
});

/** Decides everything that is marked as "not shown", or stated in two ways. */
export function decide(seed: number) {
  const chosen = choices(seed);
  return {
    ...chosen,
    ...successes(chosen),
    ...errors(chosen),
    ...listings(chosen),
    ...records(chosen),
    ...rules(chosen),
  };
}

export type Decisions = ReturnType<typeof decide>;
