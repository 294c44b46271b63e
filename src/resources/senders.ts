import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { listSenders, type Sender } from '../operations/senders.ts';
import { Resource } from './resource.ts';

/** Lists the addresses that emails are sent from. */
export class Senders extends Resource {
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
  list(options?: CallOptions, mistake?: undefined): ApiPromise<Sender[]> {
    return Resource.perform(this, listSenders, mistake, options);
  }
}
