import { invisible } from './issues.ts';

/** Text without separators, or in quotes; `@`; a host's name in any script. The literal takes a millisecond to make. */
export const emailPattern = () =>
  /^(?:"[^\s"@\\]+"|[^\s"()<>@,:;[\\\]]+)@[\p{L}\p{M}\p{N}\p{So}_-]+(?:\.[\p{L}\p{M}\p{N}\p{So}_-]+)*$/u;

/** Returns `true` for an email address. Rejects obvious mistakes, as no operation deletes a contact. */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && emailPattern().test(value) && !invisible.test(value);
