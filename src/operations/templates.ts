import { deletion } from './operation.ts';

/** `DELETE /template/email/{identifier}` (rule 12.1). */
export const deleteTemplate = /* @__PURE__ */ deletion('templates.delete', 'template');
