import { start } from './issues.ts';

const redactedText = '[redacted]';

/** Characters of a text that are searched and kept. Whoever sends more could block the process with it. */
const maxKeptLength = 64_000;

/** Fewest characters of a secret that is searched for: a shorter one could be a part of any word or number. */
const minSecretLength = 8;

/** Secrets of functions and headers that are remembered after their calls: a later response can still show one. */
const rememberedSecrets = 100;

/** Replaces secrets in text from outside, as they stand, JSON-escaped and URL-encoded, in a bounded part of it. */
export class Redactor {
  readonly #privateNames: readonly string[];
  /** Secrets that do not change; those of calls that run, with the number of those calls; and the last ones of others. */
  readonly #fixed = new Set<string>();
  readonly #held = new Map<string, number>();
  readonly #recent = new Set<string>();
  /** Every form of every secret, the longest first, so that a secret within another hides no part of it. */
  #forms: readonly string[] | undefined;

  /** @param privateNames - Texts that only a response with a private key holds. */
  constructor(privateNames: readonly string[]) {
    this.#privateNames = privateNames;
  }

  /** Returns the secrets among headers: each value, and what follows a scheme such as `Bearer` in it. */
  secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
    return Object.entries(headers).flatMap(([name, value]) =>
      secretHeader.test(name) ? [value, value.slice(value.indexOf(' ') + 1)] : [],
    );
  }

  add(secret: string): void {
    this.#fixed.add(secret);
    this.#forms = undefined;
  }

  /** Adds secrets that an attempt carries, until its call releases them by the function that is returned. */
  hold(secrets: readonly string[]): () => void {
    for (const secret of secrets) {
      if (!this.#held.has(secret) && !this.#recent.has(secret)) this.#forms = undefined;
      this.#held.set(secret, (this.#held.get(secret) ?? 0) + 1);
    }
    return () => {
      for (const secret of secrets) {
        const calls = this.#held.get(secret) ?? 0;
        if (calls > 1) this.#held.set(secret, calls - 1);
        else this.#held.delete(secret);
      }
      this.remember(secrets);
    };
  }

  /** Adds secrets as the most recent ones of the last 100. A new one takes the place of the oldest. */
  remember(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (!this.#recent.delete(secret)) this.#forms = undefined;
      this.#recent.add(secret);
      const [oldest = ''] = this.#recent;
      if (this.#recent.size > rememberedSecrets) this.#recent.delete(oldest);
    }
  }

  /** Returns `true` if nothing of a text may be shown. */
  isPrivate(text: string): boolean {
    return this.#privateNames.some(name => text.includes(name));
  }

  text(text: string): string {
    if (text.length < minSecretLength) return text;
    const forms = this.#allForms();
    let clean = start(text, maxKeptLength);
    for (const form of forms) clean = clean.replaceAll(form, redactedText);
    // The start of a secret can stand where the text was cut.
    return text.length > maxKeptLength ? start(clean, clean.length - (forms[0]?.length ?? 1)) : clean;
  }

  /** Copies what was thrown: its text can repeat a key. */
  error(thrown: unknown): Error {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const text = (value: unknown) => this.text(String(value));
    return Object.assign(new Error(text(message)), { name: text(name), stack: text(stack) });
  }

  headers(headers: Headers): Headers {
    return new Headers([...headers].map(([name, value]) => [name, this.text(value)]));
  }

  #allForms(): readonly string[] {
    this.#forms ??= [...this.#fixed, ...this.#held.keys(), ...this.#recent]
      .flatMap(formsOf)
      .sort((one, other) => other.length - one.length);
    return this.#forms;
  }
}

/** Headers whose values are secret, whoever sets them. */
const secretHeader = /(?:authorization|cookie|key|token)$/i;

/** Returns the forms of a secret that are searched for; none of one that is too short. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < minSecretLength) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inJson,
    inJson.replaceAll('/', '\\/'),
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ];
}
