import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { SenderId } from '../schemas/id.ts';

/** Address that emails are sent from. */
export interface Sender {
  /** `sender_` and 22 letters or digits. */
  readonly id: SenderId;
  /** Name of the sender. */
  readonly name: string;
  /** Address that emails are sent from. */
  readonly email: string;
  /** `true` if the address is verified, `false` while that is pending. */
  readonly isWhitelisted: boolean;
}

/** Lists the addresses that emails are sent from. */
export interface Senders {
  /**
   * Lists every sender in one response.
   *
   * @returns All senders of the team, including pending ones.
   *
   * @example
   * ```ts
   * const senders = await client.senders.list();
   * const verified = senders.filter(sender => sender.isWhitelisted);
   * console.log(verified.map(sender => sender.email));
   * ```
   */
  list(options?: CallOptions): ApiPromise<Sender[]>;
}
