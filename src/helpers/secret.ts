const mask = '[redacted]';

/** Texts by secret. With a private member, the type would refuse a secret of the other build of this package. */
const texts = /* @__PURE__ */ new WeakMap<Secret, string>();

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
  /** @param text - Text to keep out of every output. */
  constructor(text: string) {
    texts.set(this, text);
  }

  /** Returns the text itself. Keep it out of logs. */
  reveal(): string {
    const text = texts.get(this);
    if (text === undefined)
      throw new TypeError('reveal() works on the Secret itself, not on a copy or a proxy of it');
    return text;
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
