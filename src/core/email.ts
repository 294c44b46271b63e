import { invisible } from './issues.ts';

/**
 * Unquoted or quoted local part, `@`, and a host name in any script. A function, because compiling it takes a
 * millisecond.
 */
export const emailPattern = () =>
  /^(?:"[^\s"@\\]+"|[^\s"()<>@,:;[\\\]]+)@[\p{L}\p{M}\p{N}\p{So}_-]+(?:\.[\p{L}\p{M}\p{N}\p{So}_-]+)*$/u;

/** Returns `true` for an email address. Rejects obvious mistakes, because no operation deletes a contact. */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && emailPattern().test(value) && !invisible.test(value);

/** Returns the first invisible character in text and its position: `a zero-width space after ada`. */
export function invisibleIn(text: string): string | undefined {
  const { index, 0: character = '\t' } = invisible.exec(text) ?? { index: 0 };
  // Tabs and line breaks are visible mistakes.
  if (/[\t-\r]/.test(character)) return undefined;
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = code === 'U+200B' ? 'a zero-width space' : code;
  return `${name} ${index > 0 ? `after ${text.slice(0, index)}` : 'at the start'}`;
}
