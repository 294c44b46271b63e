const redactedText = '[redacted]';

/** Characters of a text that are searched and kept. Whoever sends more could block the process with it. */
export const maxKeptLength = 64_000;

/** Fewest characters of a secret that is searched for: a shorter one could be a part of any word or number. */
const minSecretLength = 8;

/** Secrets of functions and headers that are remembered: more than the calls that run at once with keys of their own. */
const rememberedSecrets = 1_000;

/**
 * Replaces secrets in text that came from outside: as they stand, JSON-escaped, URL-encoded, HTML-escaped and in
 * base64. The engine's own string search finds them, in a bounded part of the text.
 */
export class Redactor {
  readonly #privateNames: readonly string[];
  /** Forms of the secrets that do not change. */
  readonly #fixed: string[] = [];
  /** Secrets that change, with the forms of each, the least recent first. */
  readonly #recent = new Map<string, readonly string[]>();
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
    this.#fixed.push(...formsOf(secret));
    this.#forms = undefined;
  }

  /** Adds secrets that an attempt carries, as the most recent ones. A new one takes the place of the oldest. */
  remember(secrets: readonly string[]): void {
    for (const secret of secrets) {
      const forms = this.#recent.get(secret);
      this.#recent.delete(secret);
      this.#recent.set(secret, forms ?? formsOf(secret));
      if (forms) continue;
      this.#forms = undefined;
      const [oldest = ''] = this.#recent.keys();
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
    let clean = text.slice(0, maxKeptLength);
    for (const form of forms) clean = clean.replaceAll(form, redactedText);
    // The start of a secret can stand where the text was cut.
    return text.length > maxKeptLength ? clean.slice(0, -(forms[0]?.length ?? 1)) : clean;
  }

  /** Copies what was thrown: its text can repeat a key, and it can be a value that cannot be read. */
  error(thrown: unknown): Error {
    try {
      const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
      const text = (value: unknown) => this.text(String(value));
      return Object.assign(new Error(text(message)), { name: text(name), stack: text(stack) });
    } catch {
      return new Error('a value that cannot be read');
    }
  }

  headers(headers: Headers): Headers {
    return toHeaders([...headers].map(([name, value]) => [name, this.text(value)]));
  }

  #allForms(): readonly string[] {
    this.#forms ??= [this.#fixed, ...this.#recent.values()]
      .flat()
      .sort((one, other) => other.length - one.length);
    return this.#forms;
  }
}

/** Headers whose values are secret, whoever sets them. */
const secretHeader = /(?:authorization|cookie|key|token)$/i;

/** Returns the forms of a secret that are searched for, and those within JSON text; none of one that is too short. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < minSecretLength) return [];
  const urlEncoded = [encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)];
  const forms = [
    secret,
    inJson(secret),
    inJson(secret).replaceAll('/', '\\/'),
    ...urlEncoded,
    ...urlEncoded.map(text => text.replace(/%../g, octet => octet.toLowerCase())),
    secret.replace(/[&<>"']/g, char => htmlEscapes[char] ?? char),
    btoa(secret).replaceAll('=', ''),
  ];
  return [...new Set([...forms, ...forms.map(inJson)])];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Creates headers from pairs of name and value, and leaves out what no header may hold. */
export function toHeaders(pairs: Iterable<readonly [string, string]>): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs)
    try {
      headers.append(name, value);
    } catch {
      // A line without a name, for example, which parsers let through.
    }
  return headers;
}
