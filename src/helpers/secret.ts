const mask = '[redacted]';

/**
 * Text that cannot be printed by accident. Logging, inspecting, string conversion and `JSON.stringify` give
 * `[redacted]`; only {@link reveal} returns the text.
 *
 * @example
 * ```ts
 * const { dkimConfig } = await client.domains.create({ name: 'blog.example.com' });
 * console.log(String(dkimConfig)); // [redacted]
 * console.log(dkimConfig.reveal().includes('PrivKey')); // true
 * ```
 */
export class Secret {
  /** Returns the text itself. Keep it out of logs. */
  declare readonly reveal: () => string;

  /** @param text - Text to keep out of every output. */
  constructor(text: string) {
    // Not enumerable, so that the function is not listed or copied.
    Object.defineProperty(this, 'reveal', { value: () => text });
  }

  /** Returns `[redacted]`. */
  toString(): string {
    return mask;
  }

  /** Returns `[redacted]`. */
  toJSON(): string {
    return mask;
  }

  /** @internal */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}
