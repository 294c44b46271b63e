/** A span a call, and a child span a try. */
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { EmailMarketingClient, EmailMarketingError, type Hooks } from 'email-marketing-client';

/** Hooks that report to whatever OpenTelemetry the process has set up. */
export function tracing(): Hooks {
  const tracer = trace.getTracer('email-marketing-client');
  const calls = new Map<number, { readonly call: Span; attempt: Span }>();
  const failed = { code: SpanStatusCode.ERROR };

  return {
    onRequest({ callId, operation, method, path, attempt }) {
      const call = calls.get(callId)?.call ?? tracer.startSpan(operation, { kind: SpanKind.CLIENT });
      const attributes = {
        'http.request.method': method,
        'http.request.resend_count': attempt - 1,
        'url.path': path,
      };
      const parent = trace.setSpan(context.active(), call);
      calls.set(callId, {
        call,
        attempt: tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent),
      });
    },
    onRetry({ callId, status, reason }) {
      calls.get(callId)?.attempt.setAttributes(outcome(status, reason)).setStatus(failed).end();
    },
    onResponse({ callId, status }) {
      const spans = calls.get(callId);
      calls.delete(callId);
      spans?.attempt.setAttributes(outcome(status)).end();
      spans?.call.end();
    },
    onError({ callId, error }) {
      const spans = calls.get(callId);
      calls.delete(callId);
      const known = EmailMarketingError.isInstance(error) ? error : undefined;
      const last = known?.attempts.at(-1);
      spans?.attempt.setAttributes(outcome(last?.status, last?.reason)).setStatus(failed).end();
      spans?.call
        .setAttribute('error.type', known?.name ?? 'aborted')
        .setStatus(failed)
        .end();
    },
  };
}

const outcome = (status: number | undefined, reason?: string) => ({
  ...(status !== undefined && { 'http.response.status_code': status }),
  ...(reason !== undefined && { 'error.type': reason }),
});

const client = new EmailMarketingClient({ hooks: tracing() });
console.log((await client.lists.list()).length);
