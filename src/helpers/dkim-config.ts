import { isObject, parseJson } from '../core/json.ts';
import { invalidArgument } from './invalid-argument.ts';
import { Secret } from './secret.ts';

/** Members of a domain's `dkimConfig`, with the service's names. */
export interface DkimConfig {
  /** Name of the domain. */
  readonly Domain: string;
  /** Public key. */
  readonly PubKey: string;
  /** Private key. */
  readonly PrivKey: Secret;
  /** DKIM selector. */
  readonly Selector: string;
  /** Signed headers, as the service sends them; the form is not documented. */
  readonly Headers: unknown;
}

/**
 * Parses a domain's `dkimConfig`. The private key stays wrapped in a {@link Secret}; missing members are empty.
 *
 * @param config - `domain.dkimConfig`, or the result of its `reveal()`.
 * @throws {@link InvalidRequestError} if it is not a JSON object. The error does not contain the text.
 *
 * @example
 * ```ts
 * const domain = await client.domains.create({ name: 'shop.example.com' });
 * console.log(parseDkimConfig(domain.dkimConfig).Domain); // shop.example.com
 * ```
 */
export function parseDkimConfig(config: Secret | string): DkimConfig {
  const json = parseJson(typeof config === 'string' ? config : (config?.reveal?.() ?? ''));
  if (!isObject(json))
    throw invalidArgument('parseDkimConfig', 'dkimConfig', 'the JSON text of an object', json);
  const text = (name: string) => (typeof json[name] === 'string' ? json[name] : '');
  return {
    Domain: text('Domain'),
    PubKey: text('PubKey'),
    PrivKey: new Secret(text('PrivKey')),
    Selector: text('Selector'),
    Headers: json.Headers,
  };
}
