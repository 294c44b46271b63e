import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { listSenders } from '../operations/senders.ts';
import type { SenderId } from '../schemas/id.ts';

/** Address that emails are sent from (specification, section 2, sender). */
export interface Sender {
  /** `sender_` and 22 letters or digits. */
  readonly id: SenderId;
  /** Name that recipients see. */
  readonly name: string;
  /** Address that emails are sent from. */
  readonly email: string;
  /** `true` if the address is verified, `false` while that is pending. */
  readonly isWhitelisted: boolean;
}

/** Lists the addresses that emails are sent from (specification, section 4). */
export class Senders {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Lists every sender in one response.
   *
   * @param options - Options of this call.
   * @returns All senders of the team, pending ones included.
   *
   * @example
   * ```ts
   * const senders = await client.senders.list();
   * const verified = senders.filter(sender => sender.isWhitelisted);
   * console.log(verified.map(sender => sender.email));
   * ```
   */
  list(options?: CallOptions): ApiPromise<Sender[]> {
    return this.#http.call(listSenders, undefined, options);
  }
}
