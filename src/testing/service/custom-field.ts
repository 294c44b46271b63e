import { type Call, malformed } from './call.ts';
import type { ContactRecord } from './records.ts';

const change = /^(\+\+|--)(-?\d+(?:\.\d+)?)$/;
const number = /^-?\d+(?:\.\d+)?$/;

/** The new value of a contact's custom field. */
export interface FieldChange {
  readonly name: string;
  /** Data type, should the field not exist yet. */
  readonly type: 'string' | 'number';
  readonly value: string;
}

/**
 * Returns the change that a value makes to a custom field (section 2, rules 4 and 5 for Identify): in a number field,
 * `++` adds to the stored value and `--` subtracts. Changes nothing yet, so that a refusal leaves nothing half done.
 */
export function fieldChange(
  { state, ambiguities }: Call,
  contact: ContactRecord | undefined,
  [name, value]: readonly [string, string],
): FieldChange {
  const field = state.customFields.named(name);
  const created = ambiguities.fieldOfIncrement === 'number' && change.test(value) ? 'number' : 'string';
  const type = field?.type ?? created;
  if (type === 'string') return { name, type, value };
  const stored = field && contact?.customFields[field.id];
  const result = numberValue(ambiguities, stored, value);
  if (result === undefined) throw malformed(`customFields.${name.slice(0, 50)} is a number field`);
  return { name, type, value: result };
}

/** Sets a custom field; one that does not exist is created. */
export function setCustomField(
  { state }: Call,
  contact: ContactRecord,
  { name, type, value }: FieldChange,
): void {
  const field = state.customFields.named(name) ?? state.customFields.add({ name, type });
  contact.customFields[field.id] = value;
}

/** Returns the value to store in a number field; `undefined` for text that is no number. */
function numberValue(
  ambiguities: Call['ambiguities'],
  stored: string | undefined,
  value: string,
): string | undefined {
  const [, sign, amount] = change.exec(value) ?? [];
  if (amount === undefined) return number.test(value) ? value : undefined;
  if (stored !== undefined && number.test(stored)) return add(stored, amount, sign === '--' ? -1n : 1n);
  return sign === '--' && ambiguities.decrementOfNothing === 'negative' ? add('0', amount, -1n) : amount;
}

/** Adds decimal texts exactly: 0.1 and 0.2 make 0.3. */
function add(left: string, right: string, sign: bigint): string {
  const places = Math.max(decimals(left), decimals(right));
  const sum = scaled(left, places) + sign * scaled(right, places);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = places === 0 ? '' : withoutTrailingZeros(digits.slice(-places));
  return `${sum < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function decimals(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function scaled(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
