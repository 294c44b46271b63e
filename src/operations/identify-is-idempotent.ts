import type { IdentifyParams } from '../resources/legacy.ts';

const changesByAmount = /^(\+\+|--)/;

/**
 * Returns `true` if a second Identify call changes nothing (specification, section 2, rules for Identify). A `++` or
 * `--` would count twice, and with `newEmail` a second call would create a contact under the old address.
 */
export function identifyIsIdempotent({ newEmail, customFields }: Partial<IdentifyParams>): boolean {
  const values = Object.values(customFields ?? {});
  return newEmail === undefined && !values.some(value => changesByAmount.test(String(value)));
}
