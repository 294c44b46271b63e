const mask = '[redacted]';

/**
 * Text that must not be printed by accident. Printing, inspecting, string conversion and `JSON.stringify` give
 * `[redacted]`; only {@link reveal} gives the text.
 *
 * @example
 * ```ts
 * const { dkimConfig } = await client.domains.create({ name: 'blog.example.com' });
 * console.log(String(dkimConfig)); // [redacted]
 * console.log(dkimConfig.reveal().includes('PrivKey')); // true
 * ```
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Keep it out of logs. */
  reveal(): string {
    return this.#text;
  }

  /** `[redacted]` */
  toString(): string {
    return mask;
  }

  /** `[redacted]` */
  toJSON(): string {
    return mask;
  }

  /** @internal */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}
