import type * as z from 'zod/mini';
import { isObject } from '../http/json.ts';

/** Returns the default of an absent or `null` field, derived from its schema; `undefined` where it stays absent. */
function defaultOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'record':
      return {};
    case 'object':
      return setDefaults({}, def.shape);
    case 'pipe':
      return defaultOf(def.in);
    case 'union':
      return def.options[0] && defaultOf(def.options[0]);
    default:
      return undefined;
  }
}

/** Sets the default of each field that is absent or `null`, in objects within the record too. Returns the record. */
export function setDefaults(
  record: Record<string, unknown>,
  shape: z.core.$ZodShape,
  except: readonly string[] = [],
): Record<string, unknown> {
  for (const name in shape) {
    const field = shape[name] as z.core.$ZodType;
    const value = record[name];
    if (value !== undefined && value !== null) {
      const inner = isObject(value) && shapeOf(field);
      if (inner) setDefaults(value, inner);
    } else if (!except.includes(name)) {
      const standard = defaultOf(field);
      if (standard !== undefined) record[name] = standard;
      else delete record[name];
    }
  }
  return record;
}

/** Fields of the object that a schema, or the schema inside an optional one, describes. */
function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return shapeOf(def.innerType);
  return def.type === 'object' ? def.shape : undefined;
}
