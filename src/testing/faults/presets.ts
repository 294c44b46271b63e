import type { FaultOrder, FaultTarget } from './kinds.ts';

/** A set of faults that imitates a common situation. */
export interface FaultPreset {
  readonly name: string;
  readonly description: string;
  readonly faults: readonly (FaultOrder & { readonly operation: FaultTarget })[];
}

/** The situations offered on the page. */
export const faultPresets: readonly FaultPreset[] = [
  {
    name: 'Slow network',
    description: 'Every response takes 0.8 to 2 seconds.',
    faults: [{ operation: '*', kind: 'latency', ms: 800, jitterMs: 1200 }],
  },
  {
    name: 'Outage',
    description: 'Every request gets 503 with Retry-After: 5.',
    faults: [{ operation: '*', kind: 'fail', status: 503, retryAfter: 5 }],
  },
  {
    name: 'Rate limited',
    description: 'Two requests a second; the rest get 429.',
    faults: [{ operation: '*', kind: 'rateLimit', requests: 2, perSeconds: 1 }],
  },
  {
    name: 'Dropped connections',
    description: 'Three in ten connections are cut, half of them after the service acted.',
    faults: [
      { operation: '*', kind: 'drop', chance: 0.15 },
      { operation: '*', kind: 'drop', chance: 0.18, acted: true },
    ],
  },
];
