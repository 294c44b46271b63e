import { matchingText, record, text } from './fields.ts';
import { ResponseSchema } from './parsing-schemas.ts';

/** Confirmation by the service. */
export interface Acknowledgement {
  /** Status that the service sends: `success`. */
  readonly status: string;
  /** What was done, in the service's words; may be empty. */
  readonly message: string;
}

/** Response schema of an acknowledgement; one without a `status` is a success. */
export const acknowledgement = /* @__PURE__ */ new ResponseSchema<Acknowledgement>(() =>
  record({ status: matchingText(/^success$/, 'the string success'), message: text() }),
);
