import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { type Acknowledgement, acknowledgement } from '../schema/acknowledgement.ts';
import type { TemplateId } from '../schema/id.ts';
import { inputOf } from '../schema/input.ts';
import { inputId } from '../schema/input-id.ts';

/** @internal */
export const templateOperations = () => ({
  'templates.delete': {
    api: 'rest',
    method: 'DELETE',
    path: '/template/email/{identifier}',
    repeat: 'always',
    goneIsDone: true,
    input: inputOf<TemplateId>(() => inputId('template')),
    output: acknowledgement(),
  } satisfies Operation<TemplateId, Acknowledgement>,
});

/** Email templates. */
export class Templates {
  readonly #call: Caller<ReturnType<typeof templateOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof templateOperations>>) {
    this.#call = call;
  }

  /**
   * Deletes a template for good. The id is taken with or without its prefix.
   *
   * A template that an active or scheduled campaign uses, a system or default template, and one shared with
   * other teams cannot be deleted.
   *
   * @example
   * ```ts
   * const { message } = await client.templates.delete('template_7hK2mQ9xB4nT6vR1sW8zLp');
   * console.log(message);
   * ```
   */
  delete(id: TemplateId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#call('templates.delete', id, options);
  }
}
