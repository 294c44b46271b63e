import { invalidArgument } from './invalid-argument.ts';
import { Secret } from './secret.ts';

/** Members of a domain's `dkimConfig`, under the names that the service gives them. */
export interface DkimConfig {
  /** Name of the domain. */
  readonly Domain: string;
  /** Public key. */
  readonly PubKey: string;
  /** Private key. */
  readonly PrivKey: Secret;
  /** DKIM selector. */
  readonly Selector: string;
  /** Headers that are signed, as sent: their form is not documented. */
  readonly Headers: unknown;
}

/**
 * Parses a domain's `dkimConfig`. The private key stays wrapped in a {@link Secret}; absent members are empty.
 *
 * @param config - `domain.dkimConfig`, or the text that its `reveal()` returns.
 * @throws {@link InvalidRequestError} if it is not the JSON text of an object; the error holds none of it.
 *
 * @example
 * ```ts
 * const domain = await client.domains.create({ name: 'shop.example.com' });
 * console.log(parseDkimConfig(domain.dkimConfig).Domain); // shop.example.com
 * ```
 */
export function parseDkimConfig(config: Secret | string): DkimConfig {
  const json = parseJson(typeof config === 'string' ? config : config?.reveal?.());
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalidArgument('parseDkimConfig', 'dkimConfig', 'the JSON text of an object', json);
  const members = json as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof members[name] === 'string' ? members[name] : '');
  return {
    Domain: text('Domain'),
    PubKey: text('PubKey'),
    PrivKey: new Secret(text('PrivKey')),
    Selector: text('Selector'),
    Headers: members.Headers,
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
