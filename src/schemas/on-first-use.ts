import { ConfigurationError } from '../errors.ts';

/**
 * Returns a function that makes a schema on first use: making all of them would slow every program's start. Throws a
 * `ConfigurationError` if zod would take an inherited member for a field of every object.
 */
export function onFirstUse<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    const [name] = Object.keys(Object.prototype);
    if (name !== undefined)
      throw new ConfigurationError(
        `Object.prototype has an enumerable member, which every object then seems to have: "${name}". Remove it, or make it not enumerable.`,
      );
    made ??= make();
    return made;
  };
}
