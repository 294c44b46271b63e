import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { type CreateDomainParams, createDomain, type Domain } from '../operations/domains.ts';
import { Resource } from './resource.ts';

/** Creates sending domains. */
export class Domains extends Resource {
  /**
   * Creates a sending domain. To verify it, publish the DNS records of the result. Not idempotent: never retried after
   * an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   * @throws {@link ConflictError} if the name is in use.
   *
   * @example
   * ```ts
   * const domain = await client.domains.create({ name: 'news.example.com' });
   * for (const record of [domain.dkim, domain.returnPath, domain.track, domain.dmarc, domain.gpt])
   *   console.log(record.type, record.host, record.textValue);
   * ```
   */
  create(params: CreateDomainParams, options?: CallOptions): ApiPromise<Domain> {
    return Resource.perform(this, createDomain, params, options);
  }
}
