import type { Operation } from '../http/call/operation.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { type CampaignId, inputId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';

/** `DELETE /campaign/{identifier}` (rule 12.2). */
export const deleteCampaign: Operation<CampaignId, Acknowledgement> = {
  name: 'campaigns.delete',
  api: 'rest',
  method: 'DELETE',
  path: '/campaign/{identifier}',
  idempotent: true,
  notFoundIsSuccess: true,
  input: /* @__PURE__ */ inputSchema(() => inputId('campaign')),
  output: acknowledgement,
};
