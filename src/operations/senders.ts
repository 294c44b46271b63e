import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { Sender } from '../resources/senders.ts';
import { recordId } from '../schemas/id.ts';
import { flag } from '../schemas/number.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { text } from '../schemas/text.ts';

const sender = () =>
  z.looseObject(
    { id: recordId<'sender'>(), name: text(), email: text(), isWhitelisted: flag() },
    'an object',
  );

/** `GET /sender` (specification, section 4, endpoint 11). */
export const listSenders: Operation<undefined, Sender[]> = {
  name: 'senders.list',
  api: 'rest',
  method: 'GET',
  path: '/sender',
  idempotent: true,
  output: /* @__PURE__ */ responseSchema(() => z.array(sender()), { required: ['id'] }),
};

/** Part of the table of operations. */
export const senderOperations = [listSenders];
