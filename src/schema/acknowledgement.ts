import type { OutputDecode } from '../core/operation.ts';
import { oneRecord, RecordReader } from './record.ts';
import { text } from './word.ts';

/** The service's word that it has done what was asked. */
export interface Acknowledgement {
  /** `success`. */
  readonly status: string;
  /** What was done, in the service's words; may be empty. */
  readonly message: string;
}

/** Reads an acknowledgement; one without a `status` is a success. */
export const acknowledgement = (): OutputDecode<Acknowledgement> =>
  oneRecord(
    new RecordReader<Acknowledgement>({
      words: { status: { ...text, zero: () => 'success' }, message: text },
      essential: [],
    }),
  );
