import { plainDigits } from './plain-digits.ts';

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
export const increment = (amount: number | bigint): string => `++${plainDigits('increment', amount)}`;
