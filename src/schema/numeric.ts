import { typeName } from '../core/json.ts';
import { InvalidRequestError } from '../errors.ts';

/**
 * The value of a number field that adds `amount` to what is stored: `increment(5)` is `++5`.
 *
 * @example
 * ```ts
 * console.log(increment(5)); // ++5
 * ```
 */
export const increment = (amount: number | bigint): string => `++${plain('increment', amount)}`;

/**
 * The value of a number field that subtracts `amount` from what is stored: `decrement(5)` is `--5`.
 *
 * @example
 * ```ts
 * console.log(decrement(2.5)); // --2.5
 * ```
 */
export const decrement = (amount: number | bigint): string => `--${plain('decrement', amount)}`;

/** Digits, without sign or exponent, that say exactly this number. */
function plain(name: string, amount: number | bigint): string {
  const digits = String(amount);
  const exact = typeof amount === 'bigint' || !Number.isInteger(amount) || Number.isSafeInteger(amount);
  if (exact && /^\d+(\.\d+)?$/.test(digits)) return digits;
  const expected = 'a number from 0 that can be written out exactly';
  throw new InvalidRequestError(`${name}: expected ${expected}`, {
    issues: [{ path: '', expected, received: typeName(amount) }],
  });
}
