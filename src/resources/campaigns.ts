import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { CampaignId } from '../schemas/id.ts';

/** Deletes campaigns. */
export interface Campaigns {
  /**
   * Deletes a campaign. Campaigns that are sent, scheduled or being sent cannot be deleted. Idempotent:
   * retried after an unknown outcome; "not found" on a retry is a success.
   *
   * @param id - Id of the campaign, with or without its prefix `campaign_`.
   * @throws {@link InvalidRequestError} if it is not a campaign id; nothing is sent.
   * @throws {@link ApiError} if the campaign cannot be deleted.
   *
   * @example
   * ```ts
   * const result = await client.campaigns.delete('campaign_3fD8kM1vX6bN9qT4wZ7yRs').safe();
   * console.log(result.ok ? 'deleted' : `kept: ${result.error}`);
   * ```
   */
  delete(id: CampaignId, options?: CallOptions): ApiPromise<Acknowledgement>;
}
