import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { type Acknowledgement, acknowledgement } from '../schema/acknowledgement.ts';
import type { CampaignId } from '../schema/id.ts';
import { inputOf } from '../schema/input.ts';
import { inputId } from '../schema/input-id.ts';

/** @internal */
export const campaignOperations = () => ({
  'campaigns.delete': {
    api: 'rest',
    method: 'DELETE',
    path: '/campaign/{identifier}',
    repeat: 'always',
    goneIsDone: true,
    input: inputOf<CampaignId>(() => inputId('campaign')),
    output: acknowledgement(),
  } satisfies Operation<CampaignId, Acknowledgement>,
});

/** Campaigns. */
export class Campaigns {
  readonly #call: Caller<ReturnType<typeof campaignOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof campaignOperations>>) {
    this.#call = call;
  }

  /**
   * Deletes a campaign for good. The id is taken with or without its prefix.
   *
   * A campaign that is sent, being sent or scheduled cannot be deleted.
   *
   * @example
   * ```ts
   * const result = await client.campaigns.delete('campaign_3fD8kM1vX6bN9qT4wZ7yRs').safe();
   * console.log(result.ok ? 'deleted' : `kept: ${result.error}`);
   * ```
   */
  delete(id: CampaignId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#call('campaigns.delete', id, options);
  }
}
