/** Takes secrets out of text that came from outside, before it can reach an error or a log. */
export type Redact = (text: string) => string;

const mask = '[redacted]';

/** Shorter ones would take half of any text with them, and are no secrets. */
const shortestSecret = 4;

/**
 * Makes a {@link Redact} for `secrets`, in plain, URL-encoded and JSON-escaped form, and for the values of the JSON
 * members named in `members`.
 */
export function makeRedact(secrets: readonly string[], members: readonly string[]): Redact {
  const forms = secrets
    .filter(secret => secret.length >= shortestSecret)
    .flatMap(secret => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return text => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, mask);
    for (const member of members)
      clean = clean.replace(new RegExp(`("${member}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'g'), `$1${mask}`);
    return clean;
  };
}
