import type { Issue } from '../../errors.ts';
import { isOptions, type OptionRule } from './rules.ts';

/** Longest key or header value, in characters: servers refuse more than 8 to 16 kB of headers. */
export const maxHeaderLength = 8_192;

/** Headers that HTTP or `fetch` sets itself: another value would break the request. */
const setHeaders =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Passes an object of headers. `reserved` lists those that hold a key, in lower case: options set them. */
export const anObjectOfHeaders = (reserved: readonly string[]): OptionRule => ({
  expected: 'an object with a text for each header name',
  isValid: isOptions,
  issuesOf: headers =>
    Object.entries(headers as object).flatMap(([path, value]): Issue[] => {
      const expected = value === undefined ? undefined : expectedHeader(path, value, reserved);
      return expected === undefined ? [] : [{ path, expected, received: typeof value }];
    }),
});

/** Says what a header that cannot be sent must be. */
function expectedHeader(name: string, value: unknown, reserved: readonly string[]): string | undefined {
  if (reserved.includes(name.toLowerCase())) return 'left out: the key is an option of its own';
  if (setHeaders.test(name)) return 'left out: it is set for each request';
  try {
    if (typeof value === 'string' && value.length <= maxHeaderLength && new Headers([[name, value]]))
      return undefined;
  } catch {}
  return 'a header name with text that a header may hold';
}

/** Returns valid headers by their names in lower case, without those that are `undefined`. */
export const readHeaders = (
  given: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
