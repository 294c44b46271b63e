import type { ActiveFault } from '../faults/fault-kinds.ts';
import type { RecordedRequest } from '../request-log.ts';
import type { RecordKind } from '../service/record-kinds.ts';

/** Polled by the web page. It loads records and requests again when `revision` has changed. */
export interface View {
  readonly revision: number;
  /** Number of records by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Number of requests in the request log. */
  readonly requests: number;
  readonly faults: readonly ActiveFault[];
  readonly endpoints: readonly string[];
  readonly operations: readonly string[];
  readonly kinds: Readonly<Record<string, RecordKind>>;
}

/** Query of a control. */
export interface ControlQuery {
  readonly operation?: string;
  readonly search?: string;
  readonly limit?: number;
}

/** Requests of the request log, oldest first. */
export interface RequestList {
  readonly requests: readonly RecordedRequest[];
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
