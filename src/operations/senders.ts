import { arrayOf, flag, record, text } from '../schemas/fields.ts';
import { recordId, type SenderId } from '../schemas/id.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { operation } from './operation.ts';

/** Address that emails are sent from. */
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

const sender = () => record({ id: recordId<'sender'>(), name: text(), email: text(), isWhitelisted: flag() });

/** `GET /sender` (rule 11.1). */
export const listSenders = /* @__PURE__ */ operation<undefined, Sender[]>('senders.list', {
  output: /* @__PURE__ */ responseSchema(() => arrayOf(sender())),
});
