import type { ActiveFault, FaultKind } from '../faults/kinds.ts';
import type { RecordedRequest } from '../request-log.ts';
import type { RecordKind } from '../service/records.ts';
import type { SandboxKeys } from '../service/service.ts';

/** JSON exchanged between the web page and the server. */

/** Row of the request list; secrets are masked. */
export interface RequestSummary
  extends Pick<RecordedRequest, 'number' | 'time' | 'method' | 'path' | 'query' | 'status' | 'durationMs'> {
  /** Kinds of the faults that were applied. */
  readonly faults: readonly FaultKind[];
  /** Reason of an error response. */
  readonly reason?: string | undefined;
  /** Number of the failed request that this one repeats. */
  readonly retryOf?: number | undefined;
}

/** Page of the request list, newest first. */
export interface RequestPage {
  readonly requests: readonly RequestSummary[];
  /** `true` if older requests match. */
  readonly more: boolean;
}

/** Request with all details; secrets are masked. */
export interface RequestDetail extends RecordedRequest, Pick<RequestSummary, 'retryOf'> {
  /** Body as received. */
  readonly bodyText: string;
}

/** Everything that changes while the sandbox runs. */
export interface Overview {
  /** Number of records by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Number of requests in the request log. */
  readonly requests: number;
  readonly faults: readonly ActiveFault[];
}

/** The response to the web page's first request. */
export interface View extends Overview, SandboxKeys {
  readonly operations: readonly string[];
  readonly endpoints: readonly string[];
  readonly kinds: Readonly<Record<string, RecordKind>>;
}

/** A record as JSON. */
export interface RecordView {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A page of records, newest first. */
export interface RecordPage {
  readonly records: readonly RecordView[];
  /** Number of records that match. */
  readonly total: number;
  /** Names of tags, lists and custom fields that the records refer to, by id. */
  readonly names: Readonly<Record<string, string>>;
}
