import { matchingText, responseObject, string } from './fields.ts';
import { ResponseSchema } from './operation-schemas.ts';

/** Confirmation by the service. */
export interface Acknowledgement {
  /** Status that the service sends: `success`. */
  readonly status: string;
  /** Message of the service; may be empty. */
  readonly message: string;
}

/** Response schema of an acknowledgement. A missing `status` counts as `success`. */
export const acknowledgement = /* @__PURE__ */ new ResponseSchema<Acknowledgement>(() =>
  responseObject({ status: matchingText(/^success$/, 'the string success'), message: string() }),
);
