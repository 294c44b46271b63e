import { invalidOption, shownName } from './check-options.ts';
import { isOptions, type OptionRule } from './option-rules.ts';

/** Passes an object that can hold headers. */
export const anObjectOfHeaders: OptionRule = {
  expected: 'an object with a text for each header name',
  isValid: isOptions,
};

/** Visible text that a header may hold, without white space at its ends. */
export const headerText = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Longest key or header value, in characters: servers refuse more than 8 to 16 kB of headers. */
export const maxHeaderLength = 8_192;

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Headers that HTTP or `fetch` sets itself: another value would break the request. */
const forbiddenHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Returns headers by their names in lower case, without those that are `undefined`. `reserved` lists those that hold a
 * key, and are set from options of their own. Throws a `ConfigurationError` where one cannot be sent.
 */
export function readHeaders(
  given: Readonly<Record<string, string | undefined>>,
  reserved: readonly string[],
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const option = `headers.${shownName(name)}`;
    if (reserved.includes(key)) throw invalidOption(option, 'left out: the key is an option of its own');
    if (forbiddenHeaders.includes(key)) throw invalidOption(option, 'left out: it is set for each request');
    const isText = typeof value === 'string' && value.length <= maxHeaderLength;
    // An assignment to `__proto__` would be lost.
    if (!headerName.test(key) || key === '__proto__' || !isText || (value !== '' && !headerText.test(value)))
      throw invalidOption(option, 'a header name with text that a header may hold');
    clean[key] = value;
  }
  return clean;
}
