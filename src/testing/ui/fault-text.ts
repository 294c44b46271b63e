import type { FaultOrder } from '../faults/kinds.ts';

/** Returns what a fault does, in a few words. */
export function faultText(fault: FaultOrder): string {
  return [effect(fault), limits(fault)].filter(part => part !== '').join(', ');
}

function effect(fault: FaultOrder): string {
  switch (fault.kind) {
    case 'fail':
      return [
        `fail with ${fault.status ?? 503}`,
        fault.retryAfter !== undefined && `Retry-After ${fault.retryAfter}`,
        fault.body !== undefined && 'body of your own',
        fault.acted === true && 'after the service acted',
      ]
        .filter(Boolean)
        .join(', ');
    case 'stall':
    case 'drop':
      return `${fault.kind} ${fault.at === 'body' ? 'in the body' : 'before the response'}${fault.acted === true ? ' after the service acted' : ''}`;
    case 'latency':
      return `wait ${fault.ms} ms${fault.jitterMs ? ` and up to ${fault.jitterMs} ms more` : ''}`;
    case 'rateLimit':
      return `at most ${fault.requests} requests in ${fault.perSeconds ?? 1} s`;
  }
}

function limits(fault: FaultOrder): string {
  if (fault.kind === 'rateLimit') return '';
  const { times, chance } = fault;
  return [
    typeof times === 'number' && `${times} ${times === 1 ? 'time' : 'times'}`,
    chance !== undefined && chance < 1 && `${Math.round(chance * 1000) / 10} % of requests`,
  ]
    .filter(Boolean)
    .join(', ');
}
