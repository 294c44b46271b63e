// Prints values in every form, so that tests can search them for secrets.
import { inspect } from 'node:util';
import type { ApiError } from '../../src/index.ts';

/** Returns a value in every form in which it could reach a log or another process. */
export function shown(value: unknown): string {
  const forms = [
    () =>
      inspect(value, {
        depth: Number.POSITIVE_INFINITY,
        showHidden: true,
        getters: true,
        maxStringLength: null,
      }),
    () => JSON.stringify(value),
    () => inspect(structuredClone(value), { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    () => String(value),
    () => `${(value as Error).stack} ${(value as Error).message}`,
    () => (value instanceof Error && value.cause !== undefined ? shown(value.cause) : ''),
    () => JSON.stringify([...(value as ApiError).response.headers]),
  ];
  return forms.map(attempt).join('\n');
}

/** Returns a form of a value, or the error of a value without that form, such as a clone of a function. */
function attempt(form: () => unknown): string {
  try {
    return String(form());
  } catch (error) {
    return inspect(error);
  }
}
