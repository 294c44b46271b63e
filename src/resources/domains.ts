import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Secret } from '../helpers/secret.ts';
import type { DomainId } from '../schemas/id.ts';

/** Record to publish in the DNS of a sending domain. */
export interface DnsRecord {
  /** Host name to publish the record under. */
  readonly host: string;
  /** `TXT` or `CNAME`; the service may send others. */
  readonly type: string;
  /** Value to publish; may be empty. */
  readonly textValue: string;
}

/** Sending domain. Every verification flag is `false` on creation. */
export interface Domain {
  /** `domain_` and 22 letters or digits; any other text is kept as the service sends it. */
  readonly id: DomainId;
  /** Domain name. */
  readonly name: string;
  /** `true` if the domain as a whole is verified. */
  readonly verified: boolean;
  /** `true` if the return path, which receives bounces, is verified. */
  readonly returnPathVerified: boolean;
  /** `true` if DKIM is verified. */
  readonly dkimVerified: boolean;
  /** `true` if the tracking domain is verified. */
  readonly trackVerified: boolean;
  /** `true` if DMARC is verified. */
  readonly dmarcVerified: boolean;
  /** `true` if Google Postmaster Tools is verified. */
  readonly gptVerified: boolean;
  /** DKIM record to publish. */
  readonly dkim: DnsRecord;
  /** Return-path record to publish. */
  readonly returnPath: DnsRecord;
  /** Tracking-domain record to publish. */
  readonly track: DnsRecord;
  /** DMARC record to publish. */
  readonly dmarc: DnsRecord;
  /** Google Postmaster Tools record to publish. */
  readonly gpt: DnsRecord;
  /** JSON text that contains the domain's private key; {@link parseDkimConfig} parses it. */
  readonly dkimConfig: Secret;
  /** Reason why DMARC verification failed; empty if it did not. */
  readonly dmarcFailureReason: string;
  /** Time of creation: ISO 8601, UTC, exact to the nanosecond; {@link epochNanoseconds} converts it. */
  readonly created: string;
  /** Time of the last change, in the same form; `null` if never changed. */
  readonly updated: string | null;
}

/** Body of {@link Domains.create}. */
export interface CreateDomainParams {
  /** Domain name, such as `mail.example.com`; not empty. */
  readonly name: string;
}

/** Creates sending domains. */
export interface Domains {
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
  create(params: CreateDomainParams, options?: CallOptions): ApiPromise<Domain>;
}
