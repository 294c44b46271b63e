// Error pages of gateways, in place of the service's response, before it and after it. Each outcome must be true, and no
// write may act twice.
import { describe, expect, test } from 'vitest';
import type { EmailMarketingError } from '../../src/index.ts';
import { calls as allCalls } from '../operations.ts';
import { oneOfEachKind } from '../support/long-run.ts';
import { type NamedRow, responseText } from '../support/operation-row.ts';
import { clientOfServer, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const calls = oneOfEachKind(allCalls);

/** Error pages: as HTML, with words that mean something in a message of the service, as text, and in the service's form. */
const pages: Readonly<Record<string, string>> = {
  HTML: '<html><head><title>Error: the name is already in use, or the API key is missing</title></head></html>',
  text: 'default backend - 404: not found',
  JSON: '{"status":"error","message":"maintenance"}',
};

const statuses = [404, 429, 502, 503, 504];

const errors: Readonly<Record<number, string>> = { 404: 'NotFoundError', 429: 'RateLimitError' };

/** Result of a call, the requests that it made, and how often the service acted. */
type Expected = readonly [result: string, requests: number, acted: number];

/** What responds to a request: the gateway, the service, or the gateway once the service has acted. */
type Responder = 'gateway' | 'service' | 'gateway after service' | 'nobody';

interface Position {
  readonly statuses: readonly number[];
  /** Responders to the first request, and to all others. */
  readonly responders: readonly [first: Responder, others: Responder];
  /** What follows from section "Retry rules" of the guide on errors. */
  expected(row: NamedRow, status: number): Expected;
}

const positions: Readonly<Record<string, Position>> = {
  'before the service': {
    statuses,
    responders: ['gateway', 'service'],
    expected: ({ retriedAfterUnknown }, status) => {
      if (status === 404) return ['NotFoundError, refused', 1, 0];
      return status === 429 || retriedAfterUnknown ? ['success', 2, 1] : ['ServerError, unknown', 1, 0];
    },
  },
  'after the service': {
    // No gateway responds 404 or 429 once it has passed a request on.
    statuses: statuses.filter(status => status >= 500),
    responders: ['gateway after service', 'service'],
    expected: ({ retriedAfterUnknown, notFoundIsSuccess }) => {
      if (!retriedAfterUnknown) return ['ServerError, unknown', 1, 1];
      return ['success', 2, notFoundIsSuccess ? 1 : 2];
    },
  },
  'after a reset': {
    statuses,
    responders: ['nobody', 'gateway'],
    expected: ({ retriedAfterUnknown }, status) => {
      if (!retriedAfterUnknown) return ['ConnectionError, unknown', 1, 0];
      return [`${errors[status] ?? 'ServerError'}, unknown`, status === 404 ? 2 : 3, 0];
    },
  },
};

/** Makes one call. The service responds "not found" once it has deleted the record. */
async function resultOf(row: NamedRow, [first, others]: Position['responders'], page: () => Response) {
  let [requests, acted] = [0, 0];
  const act = () => {
    if (row.notFoundIsSuccess && acted > 0)
      return Response.json({ status: 'error', message: 'resource not found' }, { status: 404 });
    acted += 1;
    return new Response(responseText(row));
  };
  const fetch = async () => {
    const responder = requests++ === 0 ? first : others;
    if (responder === 'nobody') throw Object.assign(new Error(), { code: 'ECONNRESET' });
    const response = responder === 'gateway' ? undefined : act();
    return responder === 'service' && response ? response : page();
  };
  const result = await row.call(clientOfServer('https://api.example.com', { fetch })).then(
    () => 'success',
    ({ name, outcome }: EmailMarketingError) => `${name}, ${outcome}`,
  );
  return [result, requests, acted] as const;
}

const cases = Object.entries(pages).flatMap(([form, text]) =>
  [{}, { 'retry-after': '0' }].map(headers => ({
    title: `${form}${'retry-after' in headers ? ' with Retry-After' : ''}`,
    page: (status: number) => new Response(text, { status, headers }),
  })),
);

describe.each(Object.entries(positions))('an error page %s', (position, { responders, ...rule }) => {
  test.each(cases)('leads to a true outcome: $title', async ({ page }) => {
    for (const status of rule.statuses)
      for (const row of calls) {
        const title = `${row.title}, ${status} ${position}`;
        const result = await resultOf(row, responders, () => page(status));
        expect([title, ...result]).toEqual([title, ...rule.expected(row, status)]);
      }
  });
});
