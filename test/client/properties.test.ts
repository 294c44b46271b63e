// Requests and responses with random inputs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Domain, epochNanoseconds } from '../../src/index.ts';
import { normalResponse } from '../support/normal-response.ts';
import { clientOfServer } from './support.ts';

/** Creates a client, and records the URLs and bodies that it sends. */
function listener() {
  const urls: URL[] = [];
  const bodies: string[] = [];
  const client = clientOfServer('https://api.example.com', {
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
  test('a search arrives unchanged', async () => {
    const { client, urls } = listener();
    await fc.assert(
      fc.asyncProperty(text(2, 100), async search => {
        await client.lists.list({ search, offset: 0, limit: 7 });
        const query = Object.fromEntries(urls.at(-1)?.searchParams ?? []);
        expect(query).toEqual({ search, offset: '0', limit: '7' });
      }),
    );
  });

  test('the email of track arrives unchanged in the query, with the team id', async () => {
    const { client, urls, bodies } = listener();
    const email = fc.emailAddress().map(address => `a+b&c=d.${address}`);
    const tag = text(1, 20).map(name => `<${name}>`);
    await fc.assert(
      fc.asyncProperty(email, fc.array(tag), async (address, addTags) => {
        await client.legacy.track({ email: address, addTags, removeTags: ['old'] });
        const query = Object.fromEntries(urls.at(-1)?.searchParams ?? []);
        expect(query).toEqual({ email: address, team_id: 'team' });
        expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ addTags, removeTags: ['old'] });
      }),
    );
  });
});

/** Creates a domain whose response has this JSON text. */
function createDomain(text: string): Promise<Domain> {
  const fetch = async () => new Response(text);
  return clientOfServer('https://api.example.com', { fetch }).domains.create({ name: 'example.com' });
}

const domainText = normalResponse({ method: 'POST', path: '/api/v1/rest/domain' });

/** The domain with one more member. */
const withMember = (json: string) => `{"more":${json},${domainText.slice(1)}`;

describe('a response with a domain', () => {
  test('has times that are exact to the nanosecond', async () => {
    const nanoseconds = fc.bigInt({ min: 1n, max: 2n ** 62n });
    await fc.assert(
      fc.asyncProperty(nanoseconds, nanoseconds, async (created, updated) => {
        const text = domainText
          .replace(/"created":\d+/, `"created":${created}`)
          .replace(/"updated":\d+/, `"updated":${updated}`);
        const domain = await createDomain(text);
        expect(epochNanoseconds(domain.created)).toBe(created);
        expect(domain.updated && epochNanoseconds(domain.updated)).toBe(updated);
        expect(domain.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      }),
    );
  });

  test('is read as by JSON.parse if that would round nothing', async () => {
    const safe = (value: unknown): boolean =>
      typeof value === 'number'
        ? Number.isSafeInteger(value) || !Number.isInteger(value)
        : typeof value !== 'object' || value === null || Object.values(value).every(safe);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue().filter(safe), async value => {
        const json = JSON.stringify(value);
        const domain = await createDomain(withMember(json));
        expect(Object.entries(domain).find(([name]) => name === 'more')?.[1]).toEqual(JSON.parse(json));
      }),
    );
  });

  test('keeps every digit of an integer beyond 2^53, wherever it occurs', async () => {
    const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).chain(n => fc.constantFrom(n, -n));
    await fc.assert(
      fc.asyncProperty(large, large, async (one, two) => {
        const domain = await createDomain(withMember(`{"a":${one},"b":[ ${two} ],"c":"${one}"}`));
        expect(domain).toMatchObject({ more: { a: String(one), b: [String(two)], c: String(one) } });
      }),
    );
  });
});
