// Responses with random values.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Domain, epochNanoseconds } from '../../src/index.ts';
import { normalResponse } from '../support/normal-response.ts';
import { clientOfServer } from './support.ts';

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
});
