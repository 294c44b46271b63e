import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { TemplateId } from '../schemas/id.ts';

/** Deletes email templates. */
export interface Templates {
  /**
   * Deletes a template permanently. These cannot be deleted: templates that an active or scheduled campaign uses,
   * system and default templates, and templates shared with other teams. Idempotent: retried after an unknown outcome;
   * "not found" on a retry is a success.
   *
   * @param id - Id of the template, with or without its prefix `template_`.
   * @throws {@link InvalidRequestError} if the id is not that of a template; nothing is sent.
   * @throws {@link NotFoundError} if there is no such template.
   * @throws {@link ApiError} if the service refuses.
   *
   * @example
   * ```ts
   * const { message } = await client.templates.delete('template_7hK2mQ9xB4nT6vR1sW8zLp');
   * console.log(message);
   * ```
   */
  delete(id: TemplateId, options?: CallOptions): ApiPromise<Acknowledgement>;
}
