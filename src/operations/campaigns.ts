import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { type CampaignId, inputId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { operation } from './operation.ts';

/** `DELETE /campaign/{identifier}` (rule 12.2). */
export const deleteCampaign = /* @__PURE__ */ operation<CampaignId, Acknowledgement>('campaigns.delete', {
  input: /* @__PURE__ */ inputSchema(() => inputId('campaign')),
  output: acknowledgement,
});
