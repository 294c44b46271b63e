import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { operations } from '../../src/resources/operations.ts';
import { RecordReader } from '../../src/schema/record.ts';
import { nanoseconds, nanosecondsOrNever } from '../../src/schema/time.ts';
import * as words from '../../src/schema/word.ts';
import { rows } from '../operations.ts';

/** Whatever can be in an answer, and what is nearly as documented more often than chance would have it. */
const anything = fc.oneof(
  fc.constantFrom<unknown>('', 'x', 0, 1, -1, 1.5, 2 ** 53, '1766394250613907001', '-1', true, null, [], {}),
  fc.array(fc.oneof(fc.string(), fc.integer())),
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(fc.string(), fc.integer())),
  fc.record({ host: fc.string(), type: fc.string(), textValue: fc.oneof(fc.string(), fc.integer()) }),
  fc.jsonValue(),
  fc.jsonValue().map(value => JSON.parse(JSON.stringify(value).replaceAll('"a', '"__proto__'))),
  fc.constant(undefined),
);

const passes = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

const { orAbsent, ...plain } = words;
const kinds: Record<string, words.Word<unknown>> = { ...plain, nanoseconds, nanosecondsOrNever };
for (const [name, word] of Object.entries(kinds)) kinds[`optional ${name}`] = orAbsent(word);

describe('the fast check and the schema come to the same', () => {
  test.each(Object.entries(kinds))('for the word %s', (_, word) => {
    const schema = word.schema?.() ?? z.custom(word.fits, word.expected);
    fc.assert(fc.property(anything, value => word.fits(value) === passes(schema, value)));
  });

  /** Every record reader there is, found by reading a documented answer of every operation. */
  const readers = new Map<string, RecordReader<unknown>[]>();
  beforeAll(() => {
    for (const { name, response: answer } of rows) {
      const { output } = operations()[name as keyof ReturnType<typeof operations>];
      const fits = vi.spyOn(RecordReader.prototype, 'fits');
      output(typeof answer === 'string' ? JSON.parse(answer) : structuredClone(answer), 'report', () => {});
      readers.set(name, [...new Set(fits.mock.contexts as RecordReader<unknown>[])]);
      fits.mockRestore();
    }
  });

  test.each(rows.map(({ name, response }) => [name, response] as const))(
    'for the records of %s',
    (name, answer) => {
      const json = typeof answer === 'string' ? JSON.parse(answer) : answer;
      const documented: Record<string, unknown> = Array.isArray(json) ? json[0] : json;
      const record = fc
        .dictionary(fc.constantFrom(...Object.keys(documented), 'more', '__proto__'), anything)
        .map(changes => ({ ...documented, ...changes }));
      const found = readers.get(name) ?? [];
      expect(found.length).toBeGreaterThan(0);
      for (const reader of found)
        fc.assert(
          fc.property(
            fc.oneof(record, anything),
            value => reader.fits(value) === passes(reader.schema, value),
          ),
        );
    },
  );
});
