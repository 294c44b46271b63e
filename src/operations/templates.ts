import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { inputId, type TemplateId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { operation } from './operation.ts';

/** `DELETE /template/email/{identifier}` (rule 12.1). */
export const deleteTemplate = /* @__PURE__ */ operation<TemplateId, Acknowledgement>('templates.delete', {
  input: /* @__PURE__ */ inputSchema(() => inputId('template')),
  output: acknowledgement,
});
