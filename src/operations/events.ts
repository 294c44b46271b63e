import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { RecordEventParams } from '../resources/events.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { nonEmptyText } from '../schemas/text.ts';
import { unixSeconds } from '../schemas/unix-seconds.ts';
import { valueMap } from '../schemas/value-map.ts';

/** `POST /events/custom` (specification, section 4, endpoint 14). */
export const recordEvent: Operation<RecordEventParams, Acknowledgement> = {
  name: 'events.record',
  api: 'rest',
  method: 'POST',
  path: '/events/custom',
  idempotent: false,
  input: /* @__PURE__ */ inputSchema(() =>
    z.strictObject(
      {
        name: nonEmptyText(),
        identifier: nonEmptyText('a contact id or an email address'),
        data: z.optional(valueMap()),
        time: z.optional(unixSeconds()),
      },
      'an object',
    ),
  ),
  output: acknowledgement,
};

/** Part of the table of operations. */
export const eventOperations = [recordEvent];
