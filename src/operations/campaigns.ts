import { deletion } from './operation.ts';

/** `DELETE /campaign/{identifier}` (rule 12.2). */
export const deleteCampaign = /* @__PURE__ */ deletion('campaigns.delete', 'campaign');
