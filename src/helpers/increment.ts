import { isExact } from '../core/json.ts';
import { decimalText } from './decimal-text.ts';
import { invalidArgument } from './invalid-argument.ts';

/**
 * Returns a value that adds `amount` to a custom field of type number. If the field is empty, it becomes `amount`.
 * Create the field in the service first: `identify` creates missing fields as text, which would store a literal `++5`.
 *
 * @param amount - A number, 0 or more; beyond `Number.MAX_SAFE_INTEGER` a `bigint`.
 * @throws {@link InvalidRequestError} for any other amount.
 *
 * @example
 * ```ts
 * console.log(increment(5)); // ++5
 * ```
 */
export const increment = (amount: number | bigint): `++${number}` =>
  `++${plainDigits('increment', amount, 'decrement')}`;

/**
 * Returns a value that subtracts `amount` from a custom field of type number. If the field is empty, it becomes `amount`.
 * Create the field in the service first: `identify` creates missing fields as text, which would store a literal `--5`.
 *
 * @param amount - A number, 0 or more; beyond `Number.MAX_SAFE_INTEGER` a `bigint`.
 * @throws {@link InvalidRequestError} for any other amount.
 *
 * @example
 * ```ts
 * console.log(decrement(2.5)); // --2.5
 * ```
 */
export const decrement = (amount: number | bigint): `--${number}` =>
  `--${plainDigits('decrement', amount, 'increment')}`;

/**
 * Matches a value of {@link increment} or {@link decrement}, with white space before it, which the service may ignore.
 */
export const changesByAmount = /^\s*(\+\+|--)/;

/** Returns the digits of a non-negative number, without an exponent. `helper` and `opposite` are for the error. */
function plainDigits(helper: string, amount: number | bigint, opposite: string): `${number}` {
  if (typeof amount === 'bigint' && amount >= 0n) return String(amount) as `${number}`;
  if (isExact(amount) && amount >= 0) return decimalText(amount);
  const tooLarge = Number.isInteger(amount) ? ': pass a bigint, as it is not exact' : '';
  const instead = amount < 0 ? `: write ${opposite}(${-amount})` : tooLarge;
  throw invalidArgument(helper, 'amount', `a finite number from 0${instead}`, amount);
}
