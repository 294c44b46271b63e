import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import type { InputResult, InputSchema } from '../http/call/operation.ts';
import { maxIssues, pathText, valueAt } from '../http/issues.ts';
import { isObject, typeName } from '../http/json.ts';
import { callOptionNames } from '../http/options/call-options.ts';
import { didYouMean, similarName } from '../http/options/check-options.ts';
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
    try {
      const result = z.safeParse(this.schema, input);
      const issues = [
        ...lostFields(input),
        ...(result.error?.issues ?? []).slice(0, maxIssues).flatMap(issue => this.#toIssues(issue, input)),
      ];
      return issues.length > 0
        ? { ok: false, issues: firstOfEachPath(issues) }
        : { ok: true, value: result.data };
    } catch {
      const expected = 'an object whose fields can be read, with fewer mistakes';
      return { ok: false, issues: [{ path: '', expected, received: typeof input }] };
    }
  }

  #toIssues(issue: z.core.$ZodIssue, input: unknown): Issue[] {
    const { path, message: expected } = issue;
    if (path.length === 0 && typeof input === 'string')
      return [
        { path: '', expected: expected + writeInstead(this.schema, input), received: shown(input, path) },
      ];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, maxIssues).map(name => unknownField(this.schema, name, input));
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
    return [{ path: pathText(path), expected, received }];
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

/** Refuses fields named `__proto__`, which zod would leave out of what is sent. */
function lostFields(input: unknown): Issue[] {
  const objects = isObject(input) ? [['', input] as const, ...Object.entries(input)] : [];
  return objects
    .filter(([, value]) => isObject(value) && Object.hasOwn(value, '__proto__'))
    .map(([name]) => ({
      path: pathText(name ? [name, '__proto__'] : ['__proto__']),
      expected: 'absent: no field can have this name',
      received: 'a value',
    }));
}

/** Keeps the first issue of each path: several checks can fail for one value. */
function firstOfEachPath(issues: readonly Issue[]): readonly Issue[] {
  const byPath = new Map<string, Issue>();
  for (const issue of issues) if (!byPath.has(issue.path)) byPath.set(issue.path, issue);
  return [...byPath.values()].slice(0, maxIssues);
}

/** Values in a map are the caller's own data, of which some may be secret: only their type is shown. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  const isInMap = typeof path[1] === 'string';
  if (isInMap) return typeName(value);
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
    return { path: pathText([name]), expected, received, message: `"${name}" is ${expected}` };
  }
  const hint = didYouMean(similarName(name, Object.keys(fieldsOf(schema))));
  return {
    path: pathText([name]),
    expected: `absent: there is no such field${hint}`,
    received,
    message: `unknown field "${name}"${hint}`,
  };
}

/** Fields of the object that a schema, or the schema inside an optional one, describes. */
function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType);
  return def.type === 'object' ? def.shape : {};
}
