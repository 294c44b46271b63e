import { InvalidRequestError } from '../errors.ts';
import { typeName } from '../http/json.ts';
import { decimalText } from '../schemas/decimal-text.ts';

const expected = 'a finite number from 0';

/** Returns the digits of a number, without a sign or an exponent, as custom fields have them. `helper` is named in the error. */
export function plainDigits(helper: string, amount: number | bigint): string {
  if (typeof amount === 'bigint' && amount >= 0n) return String(amount);
  if (Number.isFinite(amount) && (amount as number) >= 0) return decimalText(amount as number);
  throw new InvalidRequestError(`${helper}: expected ${expected}`, {
    issues: [{ path: '', expected, received: typeName(amount) }],
  });
}
