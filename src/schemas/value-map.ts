import * as z from 'zod/mini';
import { decimalText } from '../helpers/decimal-text.ts';
import { text } from './text.ts';

const expectedValue = 'text or a finite number';

/** Schema of a map of texts in a response, such as a contact's custom fields. */
export const textMap = () => z.record(z.string(), text(), 'a map of texts');

const idOfField = /^(?:custom_)?field_[a-zA-Z0-9]{22}$/;

/** Schema of a map of values by the names of custom fields. A name may begin with `field_`, but not be an id. */
export const namedValues = () =>
  valueMap().check(({ value, issues }) => {
    const message = 'under a name: this is the id of a custom field; the legacy interface takes its name';
    for (const key of Object.keys(value))
      if (idOfField.test(key)) issues.push({ code: 'custom', message, path: [key], input: value });
  });

/** Schema of a map of values in an input. Finite numbers become text, written out without an exponent. */
export function valueMap() {
  const number = z.pipe(z.number(expectedValue), z.transform(decimalText));
  const value = z.union([z.string(expectedValue), number], expectedValue);
  return z.record(z.string(), value, 'a map of texts and finite numbers');
}
