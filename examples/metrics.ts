/** Records how many seconds each call takes, failed ones included, with the metrics that the process has set up. */
import { metrics } from '@opentelemetry/api';
import type { CallErrorEvent, CallSuccessEvent, Hooks } from 'email-marketing-client';

export function metricsHooks(): Hooks {
  const meter = metrics.getMeter('email-marketing');
  const seconds = meter.createHistogram('email_marketing.call.duration', { unit: 's' });
  const record = ({ operation, outcome, status = 0, durationMs }: CallSuccessEvent | CallErrorEvent) =>
    seconds.record(durationMs / 1000, { operation, outcome, status });
  return { onSuccess: record, onError: record };
}
