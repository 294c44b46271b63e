import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { shown, typeName } from '../core/json.ts';
import { didYouMean } from '../core/options.ts';
import type { Issue } from '../errors.ts';
import { callOptionRules } from '../http/call/call-options.ts';
import type { InputResult, InputSchema } from '../http/call/operation.ts';
import type { Agrees, HasZodSchema } from './stated-by-zod.ts';

/**
 * Returns the schema of an operation's input. The compiler reports a difference to the documented type, which comes from
 * the operation that it is assigned to. Mark each call at the top level of a module as pure, so that bundlers can drop
 * unused operations.
 */
export function inputSchema<Schema extends z.ZodMiniType, Input>(
  make: () => Schema & Agrees<Input, z.input<Schema>>,
): InputSchema<Input> & HasZodSchema {
  let made: z.ZodMiniType | undefined;
  const schema = () => (made ??= make());
  return { schema, validateInput: input => validateInput(schema(), input) };
}

function validateInput(schema: z.ZodMiniType, input: unknown): InputResult {
  let issues: Issue[] = [
    { path: '', expected: 'valid: it has too many mistakes to list', received: typeof input },
  ];
  try {
    const { data, error } = z.safeParse(schema, input);
    if (!error) return { ok: true, value: data };
    issues = error.issues.slice(0, maxIssues).flatMap(mistake => toIssues(schema, mistake, input));
  } catch {}
  // Several checks can fail for one value, and several items of one list: report the first only.
  const firsts = issues.filter(({ path }, index) => issues.findIndex(other => other.path === path) === index);
  return { ok: false, issues: firsts.slice(0, maxIssues) };
}

function toIssues(schema: z.ZodMiniType, mistake: z.core.$ZodIssue, input: unknown): Issue[] {
  const { path, message } = mistake;
  if (mistake.code === 'unrecognized_keys')
    return mistake.keys.slice(0, maxIssues).map(name => unknownField(schema, name, input, message));
  const value = valueAt(input, path);
  const [field, key] = path;
  // Values in a map may be secret: show only their type.
  if (typeof key === 'string')
    return [{ path: pathText(path), expected: message, received: typeName(value) }];
  // An issue of an item names its list.
  const place = key === undefined ? '' : ` at index ${String(key)}`;
  return [{ path: String(field ?? ''), expected: message, received: shown(value) + place }];
}

function unknownField(schema: z.ZodMiniType, name: string, input: unknown, advice: string): Issue {
  const received = typeName(valueAt(input, [name]));
  const known = Object.keys(fieldsOf(schema));
  const hint = Object.hasOwn(callOptionRules, name)
    ? ': pass options in the second argument'
    : didYouMean(name, known) || advice || `; known fields: ${known.join(', ')}`;
  const message = `unknown field "${name}"${hint}`;
  return { path: name, expected: 'absent: there is no such field', received, message };
}

/** Returns the fields of an object schema, or of one inside an optional schema. */
function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType);
  return def.type === 'object' ? def.shape : {};
}
