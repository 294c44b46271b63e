import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import type { SenderId } from '../schema/id.ts';
import { manyRecords, RecordReader } from '../schema/record.ts';
import { flag, recordId, text } from '../schema/word.ts';

/** An address that emails are sent from (specification, section 2). */
export interface Sender {
  /** `sender_` and 22 letters or digits. */
  readonly id: SenderId;
  /** The name that emails show. */
  readonly name: string;
  /** The address that emails are sent from. */
  readonly email: string;
  /** `true` when verified, `false` while pending. */
  readonly isWhitelisted: boolean;
}

/** @internal */
export const senderOperations = () => ({
  'senders.list': {
    api: 'rest',
    method: 'GET',
    path: '/sender',
    repeat: 'always',
    output: manyRecords(
      new RecordReader<Sender>({
        words: { id: recordId, name: text, email: text, isWhitelisted: flag },
        essential: ['id'],
      }),
    ),
  } satisfies Operation<undefined, readonly Sender[]>,
});

/** Addresses that emails are sent from. */
export class Senders {
  readonly #call: Caller<ReturnType<typeof senderOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof senderOperations>>) {
    this.#call = call;
  }

  /**
   * Every sender, in one answer.
   *
   * @example
   * ```ts
   * const senders = await client.senders.list();
   * const verified = senders.filter(sender => sender.isWhitelisted);
   * console.log(verified.map(sender => sender.email));
   * ```
   */
  list(options?: CallOptions): ApiPromise<readonly Sender[]> {
    return this.#call('senders.list', undefined, options);
  }
}
