import type { Call } from './call.ts';
import type { Collection } from './collection.ts';
import { Refusal } from './refusal.ts';

/** Returns `true` if a path's identifier is of the pattern `^(prefix)?[a-zA-Z0-9]{22}$` (section 2, conventions). */
export function isIdentifier(identifier: string, prefix: string): boolean {
  const suffix = identifier.startsWith(prefix) ? identifier.slice(prefix.length) : identifier;
  return /^[a-zA-Z0-9]{22}$/.test(suffix);
}

export function notAnIdentifier(prefix: string): string {
  return `the identifier must be 22 letters or digits, with or without ${prefix}`;
}

export function lookUp<T extends { readonly id: string }>(
  { params: { identifier = '' } }: Call,
  records: Collection<T>,
  prefix: string,
): T {
  if (!isIdentifier(identifier, prefix)) throw unknown(notAnIdentifier(prefix));
  const record = records.get(identifier);
  if (record === undefined) throw unknown(`no record has the id ${identifier}`);
  return record;
}

export function unknown(reason: string): Refusal {
  return new Refusal('unknown', { reason });
}
