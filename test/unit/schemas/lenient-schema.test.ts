// Random responses: the parser of responses against zod itself, by the stated schema of each operation.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints } from '../../../src/client/endpoints.ts';
import type { Validation } from '../../../src/schemas/lenient-parser.ts';
import type { ResponseSchema } from '../../../src/schemas/operation-schemas.ts';
import { rows } from '../../endpoints.ts';

/** Values that a field does not have, and some that it can have. */
const other = fc.oneof(
  fc.constantFrom(null, 0, 7, 1.5, 2 ** 53, '', 'x', 'success', '0', '1766394250613907001', true, false),
  fc
    .constantFrom([], ['a'], [1, 'a'], {}, { a: 'b' }, { a: 1, b: 2 }, { host: null, type: 'TXT' })
    .map(structuredClone),
);

/** A record in which some fields are missing or replaced. */
const changed = (record: object) =>
  fc
    .tuple(
      fc.subarray(Object.keys(record)),
      fc.dictionary(fc.constantFrom(...Object.keys(record), 'LTV', 'more'), other, { maxKeys: 3 }),
    )
    .map(([kept, others]) => ({
      ...Object.fromEntries(Object.entries(record).filter(([name]) => kept.includes(name))),
      ...others,
    }));

describe.each(rows)('a response of $name', ({ name, response }) => {
  const { output } = endpoints[name];
  const stated = (output as ResponseSchema<unknown>).schema();
  const json = typeof response === 'string' ? JSON.parse(response) : response;
  const record = Array.isArray(json) ? json[0] : json;
  const records = fc.oneof(fc.constant(record), changed(record), changed(record), other);
  const bodies = Array.isArray(json) ? fc.oneof(fc.array(records, { maxLength: 4 }), other) : records;
  const parse = (body: unknown, validation: Validation) =>
    output.parseResponse(structuredClone(body), validation) as {
      ok: boolean;
      value?: unknown;
      drift?: readonly { path: string }[];
      issues?: readonly { path: string }[];
    };

  test("is accepted with 'strict' if zod accepts it by the stated schema, with zod's value", () => {
    fc.assert(
      fc.property(bodies, body => {
        const { success, data } = z.safeParse(stated, structuredClone(body));
        const { ok, value, issues } = parse(body, 'strict');
        if (ok) expect([success, value]).toEqual([true, data]);
        // The schema of identify does not require a contact.
        else if (success) expect(issues).toMatchObject([{ path: 'data' }]);
        else expect(issues).not.toEqual([]);
      }),
    );
  });

  test("is rejected with 'report' only if it is not usable, and otherwise valid except for its drift", () => {
    fc.assert(
      fc.property(bodies, body => {
        const { ok, value, drift, issues } = parse(body, 'report');
        const unusable = issues?.map(({ path }) => path.replace(/^\[\d+\]\.?/, ''));
        if (!ok) expect(['', 'id']).toEqual(expect.arrayContaining(unusable ?? []));
        else if (drift?.length === 0 && name !== 'domains.create')
          expect(parse(value, 'strict')).toEqual({ ok, value, drift });
        const strict = parse(body, 'strict');
        if (strict.ok) expect({ ok, value, drift }).toEqual(strict);
      }),
    );
  });
});
