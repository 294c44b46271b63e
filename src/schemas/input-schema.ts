import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import type { InputResult, InputSchema } from '../http/call/operation.ts';
import { maxIssues, pathText, valueAt } from '../http/issues.ts';
import { isDate, isObject, isPlainObject, typeName } from '../http/json.ts';
import { callOptionNames } from '../http/options/call-options.ts';
import { didYouMean } from '../http/options/check-options.ts';
import type { Agrees } from './agrees.ts';

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
    let issues: Issue[] = [{ path: '', expected: 'readable, with fewer mistakes', received: typeof input }];
    try {
      const result = z.safeParse(this.schema, input);
      const mistakes = result.error?.issues.slice(0, maxIssues) ?? [];
      issues = [...lostFields(input), ...mistakes.flatMap(mistake => toIssues(this.schema, mistake, input))];
      if (result.success && issues.length === 0) return { ok: true, value: result.data };
    } catch {}
    // Several checks can fail for one value: the first says enough.
    const paths = issues.map(({ path }) => path);
    const firsts = issues.filter(({ path }, index) => paths.indexOf(path) === index);
    return { ok: false, issues: firsts.slice(0, maxIssues) };
  }
}

/**
 * Returns the schema of an operation's input. The documented type of the input is taken from the operation that it is
 * assigned to, and the compiler reports a difference between both. Mark each call at the level of a module as pure:
 * bundlers then leave out the operations that a program does not use.
 */
export function inputSchema<Schema extends z.ZodMiniType, Input>(
  make: () => Schema & Agrees<Input, z.input<Schema>>,
): InputSchema<Input> {
  return new ZodInputSchema<Input>(make);
}

/** Refuses what zod would leave out of what is sent: a field named `__proto__`, and the content of a `Map`. */
function lostFields(input: unknown): Issue[] {
  const members = isObject(input) ? Object.entries(input) : [];
  return [['', input] as const, ...members].flatMap(([name, value]) => {
    if (!isObject(value) || isDate(value)) return [];
    const path = name === '' ? '__proto__' : `${name}.__proto__`;
    if (Object.hasOwn(value, '__proto__'))
      return [{ path, expected: 'absent: no field can have this name', received: 'a value' }];
    const isMap = name === '' || isPlainObject(value);
    return isMap ? [] : [{ path: name, expected: 'a map of texts', received: 'object' }];
  });
}

function toIssues(schema: z.ZodMiniType, mistake: z.core.$ZodIssue, input: unknown): Issue[] {
  const { path, message: expected } = mistake;
  if (path.length === 0 && typeof input === 'string')
    return [{ path: '', expected: expected + writeInstead(schema, input), received: JSON.stringify(input) }];
  if (mistake.code === 'unrecognized_keys')
    return mistake.keys.slice(0, maxIssues).map(name => unknownField(schema, name, input));
  const received = shown(valueAt(input, path), path);
  const index = path.findIndex(key => typeof key === 'number');
  if (index < 0) return [{ path: pathText(path), expected, received }];
  // The field of an item is its list.
  const list = pathText(path.slice(0, index));
  return [{ path: list, expected, received: `${received} at index ${String(path[index])}` }];
}

/** Values in a map are the caller's own data, of which some may be secret: only their type is shown. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  if (typeof path[1] === 'string') return typeName(value);
  if (typeof value === 'string') return JSON.stringify(value);
  return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : typeName(value);
}

/** Says how to write an object of which only the value of its one required field was given. */
function writeInstead(schema: z.ZodMiniType, input: string): string {
  const required = Object.entries(fieldsOf(schema)).filter(([, field]) => field._zod.def.type !== 'optional');
  return required.length === 1 ? `: write { ${required[0]?.[0]}: '${input}' }` : '';
}

function unknownField(schema: z.ZodMiniType, name: string, input: unknown): Issue {
  const received = typeName(valueAt(input, [name]));
  if (callOptionNames.includes(name)) {
    const expected = 'an option: it goes into the second argument';
    return { path: name, expected, received, message: `"${name}" is ${expected}` };
  }
  const hint = didYouMean(name, Object.keys(fieldsOf(schema)));
  const message = `unknown field "${name}"${hint}`;
  return { path: name, expected: `absent: there is no such field${hint}`, received, message };
}

/** Fields of the object that a schema, or the schema inside an optional one, describes. */
function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType);
  return def.type === 'object' ? def.shape : {};
}
