import { InvalidRequestError } from '../errors.ts';
import { typeName } from '../http/json.ts';

const expected = 'a number from 0 that can be written out exactly';

/** Returns digits, without sign or exponent, that state exactly this number. `helper` is named in the error. */
export function plainDigits(helper: string, amount: number | bigint): string {
  const digits = String(amount);
  const exact = typeof amount === 'bigint' || !Number.isInteger(amount) || Number.isSafeInteger(amount);
  if (exact && /^\d+(\.\d+)?$/.test(digits)) return digits;
  throw new InvalidRequestError(`${helper}: expected ${expected}`, {
    issues: [{ path: '', expected, received: typeName(amount) }],
  });
}
