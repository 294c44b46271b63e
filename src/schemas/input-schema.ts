import type * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { cut, maxIssues, pathText, valueAt } from '../http/issue-text.ts';
import { typeName } from '../http/json.ts';
import type { InputResult, InputSchema } from '../http/operation.ts';
import { didYouMean, nearestName } from '../http/unknown-option.ts';
import type { Agrees } from './agrees.ts';
import { firstOfEachPath, type Mismatch } from './issues.ts';
import { parseValue } from './match.ts';
import { originalKey, restoreKeys, snapshot } from './snapshot.ts';

/** An {@link InputSchema} that a zod schema states. */
export class ZodInputSchema<Input> implements InputSchema<Input> {
  declare readonly accepts?: (input: Input) => void;

  readonly #make: () => z.ZodMiniType;
  #schema: z.ZodMiniType | undefined;

  constructor(make: () => z.ZodMiniType) {
    this.#make = make;
  }

  /** Schema of the input, made when it is first used: making all of them would delay the start of every program. */
  get schema(): z.ZodMiniType {
    this.#schema ??= this.#make();
    return this.#schema;
  }

  validate(input: unknown): InputResult {
    // A value that is no object cannot change, and needs no copy: test/docs/architecture.long.test.ts counts the functions.
    const isObject = typeof input === 'object' && input !== null;
    let given = input;
    try {
      if (isObject) given = snapshot(input);
    } catch {
      return { ok: false, issues: [unreadable(input)] };
    }
    const checked = parseValue(this.schema, given);
    if (checked.ok) {
      if (isObject) restoreKeys(checked.value);
      return checked;
    }
    const issues = checked.mismatches.flatMap(mismatch => toIssues(this.schema, mismatch, given));
    return { ok: false, issues: firstOfEachPath(issues) };
  }
}

/**
 * Returns the schema of an operation's input. The documented type of the input is taken from the operation that it is
 * assigned to, and the compiler reports where the zod schema differs from it. Mark each call at the level of a module as
 * pure: bundlers, webpack among them, then leave out the operations that a page does not use.
 */
export function inputSchema<Schema extends z.ZodMiniType, Input>(
  make: () => Schema & Agrees<Input, z.input<Schema>>,
): InputSchema<Input> {
  return new ZodInputSchema<Input>(make);
}

const unreadable = (input: unknown): Issue => ({
  path: '',
  expected: 'an object whose fields can be read, with at most 1 000 000 entries each',
  received: typeof input,
});

function toIssues(schema: z.ZodMiniType, mismatch: Mismatch, input: unknown): Issue[] {
  const { path, expected, unknownFields } = mismatch;
  if (unknownFields) return unknownFields.slice(0, maxIssues).map(name => unknownField(schema, name, input));
  const received = shown(valueAt(input, path), path);
  const index = path.findIndex(key => typeof key === 'number');
  // The field of an item is its list.
  if (index >= 0)
    return [
      {
        path: pathText(path.slice(0, index)),
        expected,
        received: `${received} at index ${String(path[index])}`,
      },
    ];
  return [{ path: pathText(path.map(originalKey)), expected, received }];
}

/** Values in a map are the caller's own data, of which some may be secret: only their type is shown. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  const isInMap = typeof path[1] === 'string';
  if (isInMap) return typeName(value);
  if (typeof value === 'string') return cut(JSON.stringify(value));
  return ['number', 'boolean', 'bigint'].includes(typeof value) ? cut(String(value)) : typeName(value);
}

function unknownField(schema: z.ZodMiniType, key: string, input: unknown): Issue {
  const name = originalKey(key);
  const hint = didYouMean(nearestName(name, fieldNames(schema)));
  return {
    path: pathText([name]),
    expected: `absent: there is no such field${hint}`,
    received: typeName(valueAt(input, [key])),
    message: `unknown field "${cut(name)}"${hint}`,
  };
}

/** Names of the fields of the object that a schema, or the schema inside an optional one, describes. */
function fieldNames(schema: z.core.$ZodType): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldNames(def.innerType);
  return def.type === 'object' ? Object.keys(def.shape) : [];
}
