// Records of the service, as docs/service-rules.md specifies them.
import { contact } from '../endpoints.ts';

/** The 22 characters of two identifiers of the same kind. */
export const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';
export const second = 'B1b2C3d4E5f6G7h8I9j0K1';

/** Returns the empty value of the same type (rule 2.6). */
function nothing(value: unknown): unknown {
  if (typeof value === 'object') return Array.isArray(value) ? [] : {};
  return { string: '', number: 0, boolean: false }[typeof value as 'string' | 'number' | 'boolean'];
}

/** The contact with the empty value in each field. */
export const emptyContact: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(contact).map(([name, value]) => [name, nothing(value)]),
);
