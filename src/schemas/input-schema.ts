import * as z from 'zod/mini';
import { maxIssues, orLeftOut, pathText, valueAt } from '../core/issues.ts';
import { shown, typeName } from '../core/json.ts';
import { didYouMean } from '../core/options.ts';
import type { Issue } from '../errors.ts';
import { callOptionRules } from '../http/call-options.ts';
import type { Agrees } from './agrees.ts';
import { onFirstUse } from './on-first-use.ts';

/** Result of checking the input of a call: the value to send, or what is wrong. */
export type InputResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Returns the schema of an operation's input. The compiler reports a difference to the documented type, which comes from
 * the operation that it is assigned to. Mark each call at the top level of a module as pure, so that bundlers can drop
 * unused operations. `adviceOn` ends the sentence about an unknown field, if it knows what is meant.
 */
export const inputSchema = <Schema extends z.ZodMiniType, Input>(
  make: () => Schema & Agrees<Input, z.input<Schema>>,
  adviceOn?: AdviceOn,
): InputSchema<Input> => new InputSchema(make, adviceOn);

type AdviceOn = (name: string) => string;

/** Schema of an operation's input. */
export class InputSchema<Input> {
  /** Carries the type of a valid input, for the compiler only. */
  declare readonly accepts?: (input: Input) => void;
  readonly schema: () => z.ZodMiniType;
  readonly #adviceOn: AdviceOn;

  constructor(make: () => z.ZodMiniType, adviceOn: AdviceOn = () => '') {
    this.schema = onFirstUse(make);
    this.#adviceOn = adviceOn;
  }

  /** Checks what a caller passes, and converts it to what is sent. Never throws. */
  validateInput(input: unknown): InputResult {
    const schema = this.schema();
    let issues: Issue[] = [
      { path: '', expected: 'valid: it has too many mistakes to list', received: typeof input },
    ];
    try {
      const { data, error } = z.safeParse(schema, input);
      if (!error) return { ok: true, value: data };
      issues = error.issues
        .slice(0, maxIssues)
        .flatMap(mistake => toIssues(schema, mistake, input, this.#adviceOn));
    } catch {}
    // Several checks can fail for one value, and several items of one list: report the first only.
    const firsts = issues.filter(
      ({ path }, index) => issues.findIndex(other => other.path === path) === index,
    );
    return { ok: false, issues: firsts.slice(0, maxIssues) };
  }
}

function toIssues(
  schema: z.ZodMiniType,
  mistake: z.core.$ZodIssue,
  input: unknown,
  adviceOn: AdviceOn,
): Issue[] {
  const { path, message } = mistake;
  if (mistake.code === 'unrecognized_keys')
    return mistake.keys.slice(0, maxIssues).map(name => unknownField(schema, name, input, adviceOn));
  const value = valueAt(input, path);
  const [field, key] = path;
  const expected = value === null && canBeLeftOut(schema, path) ? orLeftOut(message) : message;
  // Values in a map may be secret: show only their type.
  if (typeof key === 'string') return [{ path: pathText(path), expected, received: typeName(value) }];
  // An issue of an item names its list.
  const place = key === undefined ? '' : ` at index ${String(key)}`;
  return [{ path: String(field ?? ''), expected, received: shown(value) + place }];
}

/** Returns `true` for an optional input or field, and for a member of a map. */
function canBeLeftOut(schema: z.ZodMiniType, [field, key]: readonly PropertyKey[]): boolean {
  if (key !== undefined) return typeof key === 'string';
  const stated = field === undefined ? schema : fieldsOf(schema)[String(field)];
  return stated !== undefined && z.safeParse(stated, undefined).success;
}

function unknownField(schema: z.ZodMiniType, name: string, input: unknown, adviceOn: AdviceOn): Issue {
  const received = typeName(valueAt(input, [name]));
  const known = Object.keys(fieldsOf(schema));
  const hint = Object.hasOwn(callOptionRules, name)
    ? ': pass options in the second argument'
    : didYouMean(name, known) || adviceOn(name) || `; known fields: ${known.join(', ')}`;
  const message = `unknown field "${name}"${hint}`;
  return { path: name, expected: 'absent: there is no such field', received, message };
}

/** Returns the fields of an object schema, or of one inside an optional schema. */
function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType);
  return def.type === 'object' ? def.shape : {};
}
