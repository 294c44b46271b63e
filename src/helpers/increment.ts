import { decimalText } from './decimal-text.ts';
import { invalidArgument } from './invalid-argument.ts';

/**
 * Returns the value that adds `amount` to what a custom field of type number stores. If the field is empty, the
 * amount is stored. Create such a field in the service first: `identify` creates a missing field as text, which then
 * holds `++5` for ever.
 *
 * @param amount - A finite number from 0.
 * @throws {@link InvalidRequestError} for any other amount.
 *
 * @example
 * ```ts
 * console.log(increment(5)); // ++5
 * ```
 */
export const increment = (amount: number | bigint): string =>
  `++${plainDigits('increment', amount, 'decrement')}`;

/**
 * Returns the value that subtracts `amount` from what a custom field of type number stores. If the field is empty,
 * the amount is stored. Create such a field in the service first: `identify` creates a missing field as text, which
 * then holds `--5` for ever.
 *
 * @param amount - A finite number from 0.
 * @throws {@link InvalidRequestError} for any other amount.
 *
 * @example
 * ```ts
 * console.log(decrement(2.5)); // --2.5
 * ```
 */
export const decrement = (amount: number | bigint): string =>
  `--${plainDigits('decrement', amount, 'increment')}`;

/** The start of a value that {@link increment} or {@link decrement} returns. */
export const changesByAmount = /^(\+\+|--)/;

/** Returns the digits of a number from 0, without an exponent. The helpers are named in the error. */
function plainDigits(helper: string, amount: number | bigint, opposite: string): string {
  if (typeof amount === 'bigint' && amount >= 0n) return String(amount);
  if (Number.isFinite(amount) && (amount as number) >= 0) return decimalText(amount as number);
  const received = typeof amount === 'number' || typeof amount === 'bigint' ? String(amount) : undefined;
  const hint = received && amount < 0 ? `: write ${opposite}(${-amount})` : '';
  throw invalidArgument(helper, 'amount', `a finite number from 0${hint}`, amount, received);
}
