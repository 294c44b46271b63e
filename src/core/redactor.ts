import { beginningOf } from './issues.ts';

const redactedText = '[redacted]';

/** Characters of a text that are searched and kept. Whoever sends more could block the process with it. */
export const maxKeptLength = 64_000;

/** Fewest characters of a secret that is searched for: a shorter one could be a part of any word or number. */
const minSecretLength = 8;

/** Secrets of functions and headers that are remembered after their calls: a later response can still show one. */
const rememberedSecrets = 100;

/** Replaces secrets in text from outside, as they stand, JSON-escaped and URL-encoded, in a bounded part of it. */
export class Redactor {
  readonly #privateNames: readonly string[];
  /** Secrets with the number of those who hold each, the one last used last. */
  readonly #secrets = new Map<string, number>();
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

  /**
   * Adds secrets: those of the client for ever, and those that an attempt carries until its call releases them by the
   * function that is returned.
   */
  hold(secrets: readonly string[]): () => void {
    for (const secret of secrets) this.#count(secret, 1);
    return () => {
      for (const secret of secrets) this.#count(secret, -1);
    };
  }

  /** Counts the holders of a secret. Of those without any, the last 100 are remembered. */
  #count(secret: string, change: 1 | -1): void {
    const holders = this.#secrets.get(secret);
    if (holders === undefined) this.#forms = undefined;
    this.#secrets.delete(secret);
    this.#secrets.set(secret, (holders ?? 0) + change);
    const released = [...this.#secrets.keys()].filter(key => this.#secrets.get(key) === 0);
    if (released.length <= rememberedSecrets) return;
    this.#secrets.delete(released[0] ?? '');
    this.#forms = undefined;
  }

  /** Returns `true` if nothing of a text may be shown. */
  isPrivate(text: string): boolean {
    return this.#privateNames.some(name => text.includes(name));
  }

  text(text: string): string {
    if (text.length < minSecretLength) return text;
    const forms = this.#allForms();
    let clean = beginningOf(text, maxKeptLength);
    for (const form of forms) clean = clean.replaceAll(form, redactedText);
    // The start of a secret can stand where the text was cut.
    return text.length > maxKeptLength ? beginningOf(clean, clean.length - (forms[0]?.length ?? 1)) : clean;
  }

  /** Copies what was thrown: its text can repeat a key. */
  error(thrown: unknown): Error {
    const { name, message, stack, code } = Object(
      thrown instanceof Error ? thrown : new Error(String(thrown)),
    );
    const text = (value: unknown) => this.text(String(value));
    const copied = typeof code === 'string' && { code: text(code) };
    return Object.assign(new Error(text(message)), { name: text(name), stack: text(stack), ...copied });
  }

  headers(headers: Headers): Headers {
    return new Headers([...headers].map(([name, value]) => [name, this.text(value)]));
  }

  #allForms(): readonly string[] {
    this.#forms ??= [...this.#secrets.keys()]
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
