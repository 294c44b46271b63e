import { decimalText } from './decimal-text.ts';
import { invalidArgument } from './invalid-argument.ts';

/** Returns the digits of a number from 0, without an exponent. `helper` is named in the error. */
export function plainDigits(helper: string, amount: number | bigint): string {
  if (typeof amount === 'bigint' && amount >= 0n) return String(amount);
  if (Number.isFinite(amount) && (amount as number) >= 0) return decimalText(amount as number);
  throw invalidArgument(helper, 'amount', 'a finite number from 0', amount);
}
