import type { Operation } from '../http/call/operation.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { inputId, type TemplateId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';

/** `DELETE /template/email/{identifier}` (rule 12.1). */
export const deleteTemplate: Operation<TemplateId, Acknowledgement> = {
  name: 'templates.delete',
  api: 'rest',
  method: 'DELETE',
  path: '/template/email/{identifier}',
  idempotent: true,
  notFoundIsSuccess: true,
  input: /* @__PURE__ */ inputSchema(() => inputId('template')),
  output: acknowledgement,
};
