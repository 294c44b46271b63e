import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExact } from '../../src/core/json.ts';
import { RetryBudget, waitMs } from '../../src/core/retry.ts';
import { retryAfterMs } from '../../src/core/retry-after.ts';
import { EmailMarketingClient, epochNanoseconds } from '../../src/index.ts';
import { normalResponse } from '../support/normal-response.ts';
import { failureOf } from './support.ts';

const retry = fc.integer({ min: 1, max: 60 });
const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('backoff', () => {
  const ceiling = (number: number) => waitMs(number, undefined, () => 1);

  test('is full jitter: anything from nothing to a ceiling, evenly', () => {
    fc.assert(
      fc.property(retry, draw, (number, drawn) => {
        expect(waitMs(number, undefined, () => drawn)).toBeCloseTo(drawn * ceiling(number), 6);
      }),
    );
  });

  test('has a ceiling that doubles until it no longer grows', () => {
    const first = ceiling(1);
    const last = ceiling(60);
    expect(first).toBeGreaterThan(0);
    fc.assert(fc.property(retry, number => ceiling(number) === Math.min(last, first * 2 ** (number - 1))));
  });

  test('never comes back before Retry-After', () => {
    fc.assert(
      fc.property(retry, draw, fc.integer({ min: 0, max: 1e9 }), (number, drawn, asked) => {
        expect(waitMs(number, asked, () => drawn)).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  test('a budget lets no more than a tenth of the calls be repeated, in the long run', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 2_000 }), successes => {
        const budget = new RetryBudget();
        const fault = {
          fault: true,
          outcome: 'unknown',
          transient: true,
          message: '',
          toError: () => new Error(),
        };
        let taken = 0;
        let succeeded = 0;
        for (const success of successes) {
          if (success) {
            succeeded += 1;
            budget.earn();
          } else if (budget.take(fault as never)) taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(100 + Math.ceil(succeeded / 10));
      }),
    );
  });
});

describe('Retry-After', () => {
  test('in seconds', () => {
    fc.assert(fc.property(fc.nat(), seconds => retryAfterMs(String(seconds), 0) === seconds * 1000));
  });

  test('as an HTTP date: the time until then, and nothing when it is past', () => {
    const instant = fc.integer({ min: 0, max: 4_102_444_800 }).map(seconds => seconds * 1000);
    fc.assert(
      fc.property(instant, instant, (then, now) => {
        expect(retryAfterMs(new Date(then).toUTCString(), now)).toBe(Math.max(0, then - now));
      }),
    );
  });

  test('anything else is no wait at all, or a sensible one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant('-1'), fc.constant('1e3'), fc.constant('soon')), text => {
        const ms = retryAfterMs(text, 0);
        expect(ms === undefined || ms >= 0).toBe(true);
      }),
    );
  });
});

describe('exact JSON', () => {
  const safe = (value: unknown): boolean =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) || !Number.isInteger(value)
      : typeof value !== 'object' || value === null || Object.values(value).every(safe);

  test('is JSON.parse where nothing is rounded', () => {
    const value = fc.jsonValue().filter(safe);
    fc.assert(
      fc.property(value, json => {
        expect(parseExact(JSON.stringify(json))).toEqual(JSON.parse(JSON.stringify(json)));
      }),
    );
  });

  test('keeps each integer beyond 2^53, wherever it stands, to the last digit', () => {
    const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).chain(n => fc.constantFrom(n, -n));
    fc.assert(
      fc.property(large, large, (one, two) => {
        expect(parseExact(`{"a":${one},"b":[ ${two} ],"c":"${one}"}`)).toEqual({
          a: String(one),
          b: [String(two)],
          c: String(one),
        });
      }),
    );
  });

  test('refuses what is no JSON', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        fc.pre(!valid);
        expect(() => parseExact(text)).toThrow(SyntaxError);
      }),
    );
  });
});

/** A client whose requests end here; `urls` are as they would go out. */
function listener() {
  const urls: URL[] = [];
  const bodies: string[] = [];
  const client = new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    teamId: 'team',
    logLevel: 'off',
    fetch: async (url, init) => {
      const sent = new URL(String(url));
      urls.push(sent);
      bodies.push(String(init?.body));
      return new Response(normalResponse({ method: init?.method ?? 'GET', path: sent.pathname }));
    },
  });
  return { client, urls, bodies };
}

/** Any text that JSON and URLs can carry: no half of a surrogate pair. */
const text = (minLength: number, maxLength: number) =>
  fc
    .string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('+', '&', '=', '#', '%', ' ', '/'),
      ),
      minLength,
      maxLength,
    })
    .filter(value => value.length >= minLength && value.length <= maxLength && !/\p{Surrogate}/u.test(value));

describe('query encoding', () => {
  test('a search arrives as it was given', async () => {
    const { client, urls } = listener();
    await fc.assert(
      fc.asyncProperty(text(2, 100), async search => {
        await client.lists.list({ search, offset: 0, limit: 7 });
        expect(Object.fromEntries(urls.at(-1)?.searchParams ?? [])).toEqual({
          search,
          offset: '0',
          limit: '7',
        });
      }),
    );
  });

  test('an email in the query of track arrives as it was given, and the team id beside it', async () => {
    const { client, urls, bodies } = listener();
    const email = fc.emailAddress().map(address => `a+b&c=d.${address}`);
    await fc.assert(
      fc.asyncProperty(email, fc.array(text(1, 20)), async (address, addTags) => {
        await client.legacy.track({ email: address, addTags, removeTags: [] });
        expect(Object.fromEntries(urls.at(-1)?.searchParams ?? [])).toEqual({
          email: address,
          team_id: 'team',
        });
        expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ addTags, removeTags: [] });
      }),
    );
  });
});

describe('ids', () => {
  const alphanumerics = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
  const suffix = fc.string({ unit: fc.constantFrom(...alphanumerics), minLength: 22, maxLength: 22 });

  test('22 alphanumerics, with their prefix or without, make one segment of the path', async () => {
    const { client, urls } = listener();
    await fc.assert(
      fc.asyncProperty(suffix, fc.constantFrom('', 'post_tag_'), async (end, prefix) => {
        await client.postTags.get(`${prefix}${end}`);
        expect(urls.at(-1)?.pathname).toMatch(new RegExp(`^/api/v1/rest/post/tag/(post_tag_)?${end}$`));
      }),
    );
  });

  test('anything else is refused, and nothing is sent', async () => {
    const { client, urls } = listener();
    const hostile = fc.constantFrom('__proto__', '../x', 'a/b', 'post_tag_', '%2e%2e%2f', '?', '#', '');
    const foreign = suffix.map(end => `list_${end}`);
    const other = fc.oneof(
      hostile,
      foreign,
      fc.string(),
      suffix.map(end => `${end}x`),
      suffix.map(end => `/${end.slice(1)}`),
    );
    await fc.assert(
      fc.asyncProperty(other, async id => {
        fc.pre(!/^(post_tag_)?[a-zA-Z0-9]{22}$/.test(id));
        const failure = await failureOf(client.postTags.get(id));
        expect(failure).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      }),
    );
    expect(urls).toEqual([]);
  });
});

test('domain times come out exact to the nanosecond, whatever they are', async () => {
  const nanoseconds = fc.bigInt({ min: 1n, max: 2n ** 62n });
  await fc.assert(
    fc.asyncProperty(nanoseconds, nanoseconds, async (created, updated) => {
      const answer = normalResponse({ method: 'POST', path: '/api/v1/rest/domain' })
        .replace(/"created":\d+/, `"created":${created}`)
        .replace(/"updated":\d+/, `"updated":${updated}`);
      const client = new EmailMarketingClient({
        baseUrl: 'https://api.example.com',
        apiKey: 'key',
        fetch: async () => new Response(answer),
      });
      const domain = await client.domains.create({ name: 'example.com' });
      expect(epochNanoseconds(domain.created)).toBe(created);
      expect(domain.updated && epochNanoseconds(domain.updated)).toBe(updated);
      expect(domain.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    }),
  );
});
