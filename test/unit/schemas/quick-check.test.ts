import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { quickCheck } from '../../../src/schemas/derived-schemas.ts';
import {
  boolean,
  integer,
  matchingText,
  nonEmptyText,
  secretText,
  text,
  textMap,
} from '../../../src/schemas/fields.ts';
import { recordId } from '../../../src/schemas/id.ts';
import { nanosecondTime, optionalNanosecondTime } from '../../../src/schemas/times.ts';

const nearlyValid: readonly unknown[] = [
  ...['', 'x', 'xx', 'xxx', 'a@b.example', '1766394250613907001', '-1', 0, 1, -1, 1.5, 2 ** 53, 2 ** 40],
  ...[true, null, undefined, [], ['x'], ['x', 'y', 'z'], ['x', 1], {}, { x: 'y' }, { x: 1 }],
];

/** Any JSON value, nearly valid ones more often than by chance. */
const anything = fc.oneof(
  fc.constantFrom(...nearlyValid),
  fc.array(fc.oneof(fc.string(), fc.integer())),
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(fc.string(), fc.integer())),
  fc.record({ host: fc.string(), type: fc.string(), textValue: fc.oneof(fc.string(), fc.integer()) }),
  fc.jsonValue(),
  fc.jsonValue().map(value => JSON.parse(JSON.stringify(value).replaceAll('"a', '"__proto__'))),
);

/** Removes members named `__proto__`, which zod leaves out of its output. */
const withoutProto = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutProto);
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutProto(item)]));
};

/** Whether zod accepts a value and leaves it unchanged, which the quick check must find as well. */
function staysAsItIs(schema: z.ZodMiniType, value: unknown): boolean {
  const result = z.safeParse(schema, value);
  if (!result.success) return false;
  return JSON.stringify(withoutProto(result.data)) === JSON.stringify(sorted(schema, withoutProto(value)));
}

/** Whether a map has a member `__proto__`: zod ignores it, the quick check requires text there. */
const hasProto = (value: unknown) => JSON.stringify(value)?.includes('"__proto__"');

/** Sorts fields as zod does: those of the schema first. */
function sorted(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (!result.success || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const order = Object.keys(result.data as object);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(order.filter(key => Object.hasOwn(fields, key)).map(key => [key, fields[key]]));
}

const kinds: Record<string, z.ZodMiniType> = {
  text: text(),
  nonEmptyText: nonEmptyText(),
  matchingText: matchingText(/^x?$/, 'x'),
  integer: integer(),
  flag: boolean(),
  recordId: recordId(),
  texts: z.array(text()),
  textMap: textMap(),
  nanosecondTime: nanosecondTime(),
  optionalNanosecondTime: optionalNanosecondTime(),
  secretText: secretText(),
  record: z.looseObject({ host: text(), type: text(), textValue: text() }),
  'text of at least two': z.string().check(z.minLength(2)),
  'text of one or two': z.string().check(z.minLength(1), z.maxLength(2)),
  email: z.email(),
  number: z.number(),
  'a small integer': z.int32(),
};
for (const [name, schema] of Object.entries(kinds)) kinds[`optional ${name}`] = z.optional(schema);

describe('the quick check', () => {
  test.each(Object.entries(kinds))('agrees with zod on %s', (_, schema) => {
    const matches = quickCheck(schema);
    for (const value of nearlyValid)
      expect([value, matches(value)]).toEqual([value, staysAsItIs(schema, value)]);
    fc.assert(
      fc.property(anything, value => {
        const stays = staysAsItIs(schema, value);
        return matches(value) === stays || (stays && hasProto(value));
      }),
    );
  });

  test('accepts no value that zod refuses by a check it does not know', () => {
    const schema = z.array(text()).check(z.maxLength(2));
    const matches = quickCheck(schema);
    expect(nearlyValid.filter(value => matches(value) && !staysAsItIs(schema, value))).toEqual([]);
    fc.assert(fc.property(anything, value => !matches(value) || staysAsItIs(schema, value)));
  });
});
