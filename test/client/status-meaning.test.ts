// What each failed status means, by who sent it and what the call does: its error class, scope, outcome, and what a queue does
// next. No other test repeats it. The tables are typed out and not computed.
import { describe, expect, test } from 'vitest';
import {
  type EmailMarketingClient,
  type EmailMarketingError,
  type Outcome,
  type QueueAction,
  queueAction,
} from '../../src/index.ts';
import { makePage } from '../proxy/page.ts';
import { clientOfServer, errorOf } from './support.ts';

/** Bodies of a failed response, by their form. */
const bodies = {
  'the form of the service': '{"status":"error","message":"no luck today"}',
  'other JSON': '{"success":false,"message":"no luck today"}',
  HTML: '<!doctype html><title>Sign in</title>',
  nothing: '',
} as const;

type Form = keyof typeof bodies;

const service: readonly Form[] = ['the form of the service'];
const otherJson: readonly Form[] = ['other JSON'];
const noJson: readonly Form[] = ['HTML', 'nothing'];
const anyOther: readonly Form[] = [...otherJson, ...noJson];
const any: readonly Form[] = [...service, ...anyOther];

type Calls = Pick<EmailMarketingClient, 'postTags' | 'legacy' | 'events' | 'tags'>;

/** One call of each kind. */
const calls: readonly ((client: Calls) => PromiseLike<unknown>)[] = [
  client => client.postTags.get('post_tag_A1b2C3d4E5f6G7h8I9j0K1'),
  client => client.legacy.identify({ email: 'ada@example.com' }),
  client => client.events.record({ name: 'seen', identifier: 'ada@example.com' }),
  client => client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'),
];

type Meaning = `${Outcome} ${QueueAction}`;

/** Statuses and forms with the meaning for a read, an idempotent write, another write, and a delete. */
type Row = readonly [statuses: readonly number[], forms: readonly Form[], ...meanings: readonly Meaning[]];

const refusedDrop = ['refused drop', 'refused drop', 'refused drop', 'refused drop'] as const;
const refusedPause = ['refused pause', 'refused pause', 'refused pause', 'refused pause'] as const;
const refusedRetry = ['refused retry', 'refused retry', 'refused retry', 'refused retry'] as const;
const unknownRetry = ['unknown retry', 'unknown retry', 'unknown review', 'unknown retry'] as const;
const unknownPause = ['refused pause', 'unknown pause', 'unknown review', 'unknown pause'] as const;

const table: readonly Row[] = [
  // The service refused, and always will.
  [[200, 400, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415], service, ...refusedDrop],
  [[416, 417, 418, 422, 423, 424, 426, 428, 431, 451, 499], service, ...refusedDrop],
  [[400], otherJson, ...refusedDrop],
  [[409, 413, 414, 422, 431], anyOther, ...refusedDrop],
  // Somebody has to fix the key or the account. Some resources may never be deleted.
  [[401, 402], any, ...refusedPause],
  [[403], service, 'refused pause', 'refused pause', 'refused pause', 'refused drop'],
  [[403, 407], anyOther, ...unknownPause],
  // Something other than the service responded.
  [[301, 302, 303, 307, 308], any, ...unknownPause],
  [[304], ['nothing'], ...unknownPause],
  [[400, 411, 415, 417, 426, 428], noJson, ...refusedPause],
  [[404, 405, 406, 410, 412, 416, 418, 423, 424, 451, 499], noJson, ...unknownPause],
  // It can be the service, in a form that is not documented.
  [[200], otherJson, ...unknownRetry],
  [[411, 415, 417, 426, 428], otherJson, ...refusedRetry],
  [
    [404, 405, 406, 410, 412, 416, 418, 423, 424, 451, 499],
    otherJson,
    'refused retry',
    'unknown retry',
    'unknown review',
    'unknown retry',
  ],
  // It passes.
  [[421, 429], any, ...refusedRetry],
  [[425], service, ...refusedRetry],
  [[425], anyOther, 'refused retry', 'unknown retry', 'unknown review', 'unknown retry'],
  [[408, 500, 501, 502, 503, 504, 520, 599], any, ...unknownRetry],
];

/** Creates the client of a service that responds with this, and a page behind it. */
function respondingWith(status: number, body: string) {
  const headers = { location: 'https://login.example' };
  const fetch = async () => new Response(body || null, { status, headers });
  const options = { fetch, maxRetries: 0, teamId: 'team' };
  const allow = ['postTags.get', 'legacy.identify', 'events.record', 'tags.delete'] as const;
  const { page } = makePage({ allow }, undefined, options);
  return { client: clientOfServer('https://api.example.com', options), page };
}

/** Returns the error of each call of the client. */
const errorsUnder = (status: number, body: string) => {
  const { client } = respondingWith(status, body);
  return Promise.all(calls.map(call => errorOf(call(client))));
};

const meaningOf = (error: EmailMarketingError) => `${error.outcome} ${queueAction(error)}`;

const cases = table.flatMap(([statuses, forms, ...meanings]) =>
  statuses.flatMap(status => forms.map(form => ({ status, form, meanings }))),
);

test.each(cases)(
  'HTTP $status with $form means $meanings, even in a web page',
  async ({ status, form, meanings }) => {
    const { client, page } = respondingWith(status, bodies[form]);
    const errors = await Promise.all(calls.map(call => errorOf(call(client))));
    const shown = await Promise.all(calls.map(call => errorOf(call(page))));
    expect(errors.map(meaningOf)).toEqual(meanings);
    expect(shown.map(meaningOf)).toEqual(meanings);
    expect(shown.map(({ name }) => name)).toEqual(errors.map(({ name }) => name));
    // The idempotent write shows whether a call that a person has to look at concerns the account.
    const isAccount = meanings.map(each => (each.endsWith('review') ? meanings[1] : each)?.endsWith('pause'));
    expect(errors.map(({ scope }) => scope)).toEqual(isAccount.map(is => (is ? 'account' : 'call')));
  },
);

test.each([
  ['BadRequestError', [400, 422]],
  ['AuthenticationError', [401]],
  ['PermissionError', [403]],
  ['NotFoundError', [404]],
  ['RateLimitError', [429]],
  ['ServerError', [500, 501, 502, 503, 504, 520, 599]],
  ['ApiError', [301, 402, 405, 407, 408, 410, 413, 418, 421, 425, 451]],
])('a %s is the error of %j from any sender', async (name, statuses) => {
  for (const status of statuses)
    for (const body of Object.values(bodies)) {
      const { client } = respondingWith(status, body);
      for (const call of calls) expect(await errorOf(call(client)), `${status}`).toMatchObject({ name });
    }
});

describe('a message in the form of the service', () => {
  const own = (message: string, status: unknown = 'error') => JSON.stringify({ status, message });

  test.each([
    ['Internal server error occurred', 'ServerError', unknownRetry],
    ['resource with this name already exists', 'ConflictError', refusedDrop],
    ['List not found', 'NotFoundError', refusedDrop],
    ['request body not in proper format', 'BadRequestError', refusedDrop],
  ] as const)('decides for 200, 400, 403 and 418: %s', async (message, name, meanings) => {
    for (const status of [200, 400, 403, 418]) {
      const errors = await errorsUnder(status, own(message));
      expect(errors.map(meaningOf), `${status}`).toEqual(meanings);
      expect(errors.map(error => error.name)).toEqual([name, name, name, name]);
    }
  });

  test('that says that the server failed means that a write may have acted, even with 401 and 404', async () => {
    for (const status of [401, 404, 421, 425]) {
      const errors = await errorsUnder(status, own('internal server error occurred'));
      expect(errors.map(meaningOf), `${status}`).toEqual(unknownRetry);
    }
  });

  test('otherwise does not change a 401, 404, 408, 429 or 5xx', async () => {
    for (const [status, name] of [
      [401, 'AuthenticationError'],
      [404, 'NotFoundError'],
      [408, 'ApiError'],
      [429, 'RateLimitError'],
      [503, 'ServerError'],
    ] as const) {
      const { client } = respondingWith(status, own('resource with this name already exists'));
      for (const call of calls) expect(await errorOf(call(client))).toMatchObject({ name });
    }
  });

  test('with the number 401 is a wrong key, for 200, 403 and 404', async () => {
    for (const status of [200, 403, 404]) {
      const errors = await errorsUnder(status, own('team id or API key not valid', 401));
      expect(errors.map(meaningOf)).toEqual(refusedPause);
      for (const error of errors)
        expect(error).toMatchObject({ name: 'AuthenticationError', scope: 'account' });
    }
  });

  test('is not read in JSON of another form', async () => {
    for (const message of ['internal server error', 'resource not found', 'already exists']) {
      const errors = await errorsUnder(400, JSON.stringify({ status: 400, message }));
      expect(errors.map(meaningOf)).toEqual(refusedDrop);
      for (const error of errors) expect(error).toMatchObject({ name: 'BadRequestError' });
    }
  });
});

test('an HTML page, a string and a number with status 200 come from something other than the service', async () => {
  for (const body of [bodies.HTML, 'ok', '7']) {
    const errors = await errorsUnder(200, body);
    expect(errors.map(meaningOf)).toEqual([
      'unknown pause',
      'unknown pause',
      'unknown review',
      'unknown pause',
    ]);
    for (const error of errors)
      expect(error).toMatchObject({ name: 'InvalidResponseError', scope: 'account' });
  }
});

test('a status in the body of a 200 counts as a status', async () => {
  for (const [status, meanings] of [
    [401, refusedPause],
    [403, ['refused pause', 'unknown pause', 'unknown review', 'unknown pause']],
    ['404', ['refused retry', 'unknown retry', 'unknown review', 'unknown retry']],
    [422, refusedDrop],
    [429, refusedRetry],
    [503, unknownRetry],
  ] as const) {
    const errors = await errorsUnder(200, JSON.stringify({ status, reason: 'no luck today' }));
    expect(errors.map(meaningOf), `${status}`).toEqual(meanings);
  }
});
