import { beginningOf } from './issues.ts';

const redactedText = '[redacted]';

/** Maximum length of text to search and keep. Longer text could block the process. */
export const maxKeptLength = 64_000;

/** Minimum length of a secret to search for. A shorter one could be part of any word or number. */
const minSecretLength = 8;

/**
 * Number of secrets from functions and headers to remember after their calls, because later responses can contain them.
 */
const rememberedSecrets = 100;

/** Redacts secrets in untrusted text, whether plain, JSON-escaped or URL-encoded. Long text is cut. */
export class Redactor {
  readonly #privateNames: readonly string[];
  /** Secrets with their number of holders; the most recently used is last. */
  readonly #secrets = new Map<string, number>();
  /** Every form of every secret, longest first, so that a secret within a longer one does not leave parts of it. */
  #forms: readonly string[] | undefined;

  /** @param privateNames - Strings that occur only in a response with a private key. */
  constructor(privateNames: readonly string[]) {
    this.#privateNames = privateNames;
  }

  /** Returns the secrets in headers: whole values, and the part after a scheme such as `Bearer`. */
  secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
    return Object.entries(headers).flatMap(([name, value]) =>
      secretHeader.test(name) ? [value, value.slice(value.indexOf(' ') + 1)] : [],
    );
  }

  /** Adds secrets, and returns a function that releases them: the client never does, a call does at its end. */
  hold(secrets: readonly string[]): () => void {
    for (const secret of secrets) this.#count(secret, 1);
    return () => {
      for (const secret of secrets) this.#count(secret, -1);
    };
  }

  /** Counts the holders of a secret. The last 100 secrets without a holder are remembered. */
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

  /** Returns `true` if no part of the text may be shown. */
  isPrivate(text: string): boolean {
    return this.#privateNames.some(name => text.includes(name));
  }

  text(text: string): string {
    if (text.length < minSecretLength) return text;
    const forms = this.#allForms();
    let clean = beginningOf(text, maxKeptLength);
    for (const form of forms) clean = clean.replaceAll(form, redactedText);
    // The text may end with the beginning of a secret.
    return text.length > maxKeptLength ? beginningOf(clean, clean.length - (forms[0]?.length ?? 1)) : clean;
  }

  /** Copies what was thrown, without secrets: its text can contain a key. */
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

/** Headers whose values are secret. */
const secretHeader = /(?:authorization|cookie|key|token)$/i;

/** Returns the forms of a secret to search for; none if it is too short. */
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
