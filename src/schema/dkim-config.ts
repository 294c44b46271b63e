import { isObject, typeName } from '../core/json.ts';
import { InvalidRequestError } from '../errors.ts';
import { Secret } from './secret.ts';

/** The members of a domain's `dkimConfig`, under the names that the service gives them. */
export interface DkimConfig {
  /** The domain's name. */
  readonly Domain: string;
  /** The public key. */
  readonly PubKey: string;
  /** The private key. */
  readonly PrivKey: Secret;
  /** The DKIM selector. */
  readonly Selector: string;
  /** The headers that are signed, as sent: their form is not documented. */
  readonly Headers: unknown;
}

/**
 * Reads a domain's `dkimConfig`, with the private key still wrapped in a {@link Secret}.
 *
 * @param config - `domain.dkimConfig`, or the text that its `reveal()` gives.
 * @throws {@link InvalidRequestError} when it is not the JSON text of an object; the error holds none of it.
 *
 * @example
 * ```ts
 * const domain = await client.domains.create({ name: 'shop.example.com' });
 * console.log(parseDkimConfig(domain.dkimConfig).Domain); // shop.example.com
 * ```
 */
export function parseDkimConfig(config: Secret | string): DkimConfig {
  const json = read(typeof config === 'string' ? config : config.reveal());
  if (!isObject(json))
    throw new InvalidRequestError('parseDkimConfig: expected the JSON text of an object', {
      issues: [{ path: 'dkimConfig', expected: 'the JSON text of an object', received: typeName(json) }],
    });
  const text = (name: string) => (typeof json[name] === 'string' ? json[name] : '');
  return {
    Domain: text('Domain'),
    PubKey: text('PubKey'),
    PrivKey: new Secret(text('PrivKey')),
    Selector: text('Selector'),
    Headers: json.Headers,
  };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
