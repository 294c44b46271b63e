import { invisible } from './issues.ts';

/** Text without separators, or in quotes; `@`; a host's name in any script. The literal takes a millisecond to make. */
export const emailPattern = () =>
  /^(?:"[^\s"@\\]+"|[^\s"()<>@,:;[\\\]]+)@[\p{L}\p{M}\p{N}\p{So}_-]+(?:\.[\p{L}\p{M}\p{N}\p{So}_-]+)*$/u;

/** Returns `true` for an email address. Rejects obvious mistakes, as no operation deletes a contact. */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && emailPattern().test(value) && !invisible.test(value);

/** Returns the first invisible character of a text: `U+200B`. */
export function invisibleIn(text: string): string | undefined {
  const [character = '\t'] = invisible.exec(text) ?? [];
  // A tab or a line break is not one.
  if (/[\t-\r]/.test(character)) return undefined;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
