import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { arrayOf, boolean, record, text } from '../schemas/fields.ts';
import { recordId, type SenderId } from '../schemas/id.ts';
import { responseSchema } from '../schemas/parsing-schemas.ts';
import { operation, Resource } from './resource.ts';

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

const sender = () =>
  record({ id: recordId<'sender'>(), name: text(), email: text(), isWhitelisted: boolean() });

/** `GET /sender` (rule 11.1). */
export const listSenders = /* @__PURE__ */ operation<undefined, Sender[]>('senders.list', {
  output: /* @__PURE__ */ responseSchema(() => arrayOf(sender())),
});

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
  list(options?: CallOptions): ApiPromise<Sender[]> {
    return Resource.perform(this, listSenders, undefined, options);
  }
}
