import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { TemplateId } from '../schemas/id.ts';

/** Deletes email templates. */
export interface Templates {
  /**
   * Deletes a template permanently. Templates cannot be deleted if an active or scheduled campaign uses them, or if
   * they are system, default or shared templates. Idempotent: retried after an unknown outcome; "not found" on a retry
   * is a success.
   *
   * @param id - Id of the template, with or without its prefix `template_`.
   * @throws {@link InvalidRequestError} if it is not a template id; nothing is sent.
   * @throws {@link NotFoundError} if the template does not exist.
   * @throws {@link ApiError} if the template cannot be deleted.
   *
   * @example
   * ```ts
   * const { message } = await client.templates.delete('template_7hK2mQ9xB4nT6vR1sW8zLp');
   * console.log(message);
   * ```
   */
  delete(id: TemplateId, options?: CallOptions): ApiPromise<Acknowledgement>;
}
