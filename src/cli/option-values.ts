import { UsageError } from './usage-error.ts';

/**
 * Returns a parser for the value of an option that takes a whole number.
 * @param flag The option as it is written, such as `--port`.
 * @param least Smallest number accepted.
 * @param most Largest number accepted.
 */
export function wholeNumber(flag: string, least: number, most: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new UsageError(
        `${flag} takes a whole number from ${least} to ${most} (got ${JSON.stringify(text)})`,
      );
    return number;
  };
}

/** Collects the values of an option that can be repeated. */
export const repeated = (value: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  value,
];
