import { decimalText } from '../schemas/decimal-text.ts';

/** Encodes a text, number or boolean for a URL. Returns `undefined` for what a URL cannot hold exactly. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number') return isExact(value) ? decimalText(value) : undefined;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair.
  }
  return undefined;
}

/** Returns `true` if a number is finite, and stands for no other whole number than the one meant. */
const isExact = (value: number): boolean =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
