import { plainDigits } from './plain-digits.ts';

/**
 * Returns the value that adds `amount` to what a custom field of type number stores
 * (rule 6.6). When the field is empty, the amount itself is stored.
 *
 * @param amount - A finite number from 0.
 * @throws {@link InvalidRequestError} for any other amount.
 *
 * @example
 * ```ts
 * console.log(increment(5)); // ++5
 * ```
 */
export const increment = (amount: number | bigint): string => `++${plainDigits('increment', amount)}`;
