// What the programs and the backend agree on: the calls, their limit, and the header by which a call is recognized.
import type { ApiPromise, CallOptions, EndpointRequest, Resources } from '../../src/index.ts';
import { calls as operations } from '../endpoints.ts';

export const callHeader = 'x-call';

export const totalTimeoutMs = 6_000;

/** Maximum requests of a call: by default, a client retries twice. */
export const maxRequests = 3;

/** The client of the built package, whose types differ from the types in `src`. */
export interface TestedClient extends Resources {
  request(request: EndpointRequest, options: CallOptions): ApiPromise<unknown>;
}

interface TestedCall {
  readonly title: string;
  /** `true` if a second request changes nothing. */
  readonly idempotent: boolean;
  readonly call: (client: TestedClient, options: CallOptions) => ApiPromise<unknown>;
}

const fire = { method: 'POST', path: '/fire/x' } as const;

/** A call of every operation, idempotent and not if its input decides, and two requests. */
const calls: readonly TestedCall[] = [
  ...operations.map(({ title, retriedAfterUnknown: idempotent, call }) => ({ title, idempotent, call })),
  { title: 'request', idempotent: false, call: (client, options) => client.request(fire, options) },
  {
    title: 'request that is larger than the gateway allows',
    idempotent: false,
    call: (client, options) => client.request({ ...fire, body: 'x'.repeat(20_000) }, options),
  },
];

/** Number of different calls. */
export const kinds = calls.length;

/** Returns the call with a number: each in turn. */
export const callOf = (number: number): TestedCall => calls[number % kinds] as TestedCall;
