/** Records how many seconds each call takes, including failed calls, with the process's metrics setup. */
import { metrics } from '@opentelemetry/api';
import type { CallErrorEvent, CallSuccessEvent, Hooks } from 'email-marketing-client';

export function metricsHooks(): Hooks {
  const meter = metrics.getMeter('email-marketing');
  const seconds = meter.createHistogram('email_marketing.call.duration', { unit: 's' });
  const record = ({ operation, outcome, status = 0, durationMs }: CallSuccessEvent | CallErrorEvent) =>
    seconds.record(durationMs / 1000, { operation, outcome, status });
  return { onSuccess: record, onError: record };
}
