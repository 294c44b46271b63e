import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import type { DomainId } from '../schema/id.ts';
import { fields, inputOf, someText } from '../schema/input.ts';
import { oneRecord, RecordReader } from '../schema/record.ts';
import type { Secret } from '../schema/secret.ts';
import { nanoseconds, nanosecondsOrNever } from '../schema/time.ts';
import { flag, recordId, secret, text } from '../schema/word.ts';

/** A record to publish in the DNS of a sending domain. */
export interface DnsRecord {
  /** The name to publish it under. */
  readonly host: string;
  /** `TXT` or `CNAME`; others may come. */
  readonly type: string;
  /** The value to publish; may be empty. */
  readonly textValue: string;
}

/** A sending domain (specification, section 2). */
export interface Domain {
  /** `domain_` and more text; real ones can be shorter than an input may be. */
  readonly id: DomainId;
  /** The domain's name. */
  readonly name: string;
  /** Whether the domain as a whole is verified. */
  readonly verified: boolean;
  /** Whether the return path, where bounces go, is verified. */
  readonly returnPathVerified: boolean;
  /** Whether DKIM is verified. */
  readonly dkimVerified: boolean;
  /** Whether the tracking domain is verified. */
  readonly trackVerified: boolean;
  /** Whether DMARC is verified. */
  readonly dmarcVerified: boolean;
  /** Whether Google Postmaster Tools is verified. */
  readonly gptVerified: boolean;
  /** DKIM record to publish. */
  readonly dkim: DnsRecord;
  /** Return-path record to publish. */
  readonly returnPath: DnsRecord;
  /** Tracking-domain record to publish. */
  readonly track: DnsRecord;
  /** DMARC record to publish. */
  readonly dmarc: DnsRecord;
  /** Postmaster Tools record to publish. */
  readonly gpt: DnsRecord;
  /** JSON text that holds the domain's private key; see {@link parseDkimConfig}. */
  readonly dkimConfig: Secret;
  /** Empty when nothing failed. */
  readonly dmarcFailureReason: string;
  /** ISO 8601, UTC, exact to the nanosecond; see {@link epochNanoseconds}. */
  readonly created: string;
  /** The same; `null` when never updated. */
  readonly updated: string | null;
}

/** What a new sending domain is made from. */
export interface CreateDomainParams {
  /** The domain's name, such as `mail.example.com`. */
  readonly name: string;
}

const domain = () => {
  const dns = new RecordReader<DnsRecord>({
    words: { host: text, type: text, textValue: text },
    essential: [],
  }).word();
  return new RecordReader<Domain>({
    words: {
      id: recordId,
      name: text,
      verified: flag,
      returnPathVerified: flag,
      dkimVerified: flag,
      trackVerified: flag,
      dmarcVerified: flag,
      gptVerified: flag,
      dkim: dns,
      returnPath: dns,
      track: dns,
      dmarc: dns,
      gpt: dns,
      dkimConfig: secret,
      dmarcFailureReason: text,
      created: nanoseconds,
      updated: nanosecondsOrNever,
    },
    essential: ['id'],
  });
};

/** @internal */
export const domainOperations = () => ({
  'domains.create': {
    api: 'rest',
    method: 'POST',
    path: '/domain',
    repeat: 'never',
    exactIntegers: true,
    input: inputOf(() => fields<CreateDomainParams>({ name: someText() })),
    output: oneRecord(domain()),
  } satisfies Operation<CreateDomainParams, Domain>,
});

/** Sending domains. */
export class Domains {
  readonly #call: Caller<ReturnType<typeof domainOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof domainOperations>>) {
    this.#call = call;
  }

  /**
   * Creates a domain for sending. Publish the DNS records of the answer to verify it.
   *
   * @throws {@link ConflictError} when the name is in use.
   *
   * @example
   * ```ts
   * const domain = await client.domains.create({ name: 'news.example.com' });
   * for (const record of [domain.dkim, domain.returnPath, domain.track, domain.dmarc, domain.gpt])
   *   console.log(record.type, record.host, record.textValue);
   * ```
   */
  create(params: CreateDomainParams, options?: CallOptions): ApiPromise<Domain> {
    return this.#call('domains.create', params, options);
  }
}
