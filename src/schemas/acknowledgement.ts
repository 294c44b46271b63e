import type { ResponseSchema } from '../http/call/operation.ts';
import { matchingText, record, text } from './fields.ts';
import { responseSchema } from './response-schema.ts';

/** Confirmation that the service did what was asked. */
export interface Acknowledgement {
  /** Status that the service sends: `success`. */
  readonly status: string;
  /** Text of the service that says what was done; may be empty. */
  readonly message: string;
}

/** Response schema of an acknowledgement; one without a `status` is a success. */
export const acknowledgement: ResponseSchema<Acknowledgement> = /* @__PURE__ */ responseSchema(
  () => record({ status: matchingText(/^success$/, 'the text success'), message: text() }),
  { status: { absent: 'success' } },
);
