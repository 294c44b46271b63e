import { invisible } from './issues.ts';

/**
 * Text without separators, or in quotes; one `@`; and the name of a host, in any script. A function, as the literal takes
 * a millisecond: only programs that use it pay.
 */
export const emailPattern = () =>
  /^(?:"[^\s"@\\]+"|[^\s"()<>@,:;[\\\]]+)@[\p{L}\p{M}\p{N}\p{So}_-]+(?:\.[\p{L}\p{M}\p{N}\p{So}_-]+)*$/u;

/**
 * Returns `true` for an email address. A contact cannot be deleted, so what can only be a mistake is none: a comma, a
 * scheme, an empty label, an invisible character. The service checks the rest.
 */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && emailPattern().test(value) && !invisible.test(value);
