/**
 * OpenTelemetry spans for the calls of a client, following the semantic conventions for HTTP clients.
 *
 * @module email-marketing-client/opentelemetry
 */

import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallAttemptEvent, CallErrorEvent, Hooks } from './call/hooks.ts';
import { EmailMarketingError } from './errors.ts';
import { version } from './version.ts';

/** Options of {@link openTelemetryHooks}. */
export interface OpenTelemetryOptions {
  /**
   * Tracer that creates the spans.
   * @defaultValue the tracer `email-marketing-client` of the global provider
   */
  readonly tracer?: Tracer | undefined;
}

/** Spans of one call. `attempt` is absent between attempts. */
interface CallSpans {
  readonly call: Span;
  /** Context of the caller, with the span of the call. */
  readonly parent: Context;
  attempt?: Span | undefined;
}

/**
 * Returns hooks that create one span per call, such as `tags.create`, in the context of the caller, and one child span
 * per attempt. Attributes contain no keys, team ids, queries or bodies.
 *
 * Hooks cannot run the request inside the attempt's span, so an instrumentation of `fetch` or undici creates its spans
 * and `traceparent` in the context of the caller.
 *
 * @example
 * ```ts
 * import { EmailMarketingClient } from 'email-marketing-client';
 * import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
 *
 * const client = new EmailMarketingClient({ hooks: openTelemetryHooks() });
 * ```
 */
export function openTelemetryHooks(options: OpenTelemetryOptions = {}): Hooks {
  const { tracer = trace.getTracer('email-marketing-client', version) } = options;
  const spansByCall = new Map<string, CallSpans>();
  const spansOf = (event: CallAttemptEvent): CallSpans => {
    const spans = spansByCall.get(event.callId) ?? startCallSpan(tracer, event);
    spansByCall.set(event.callId, spans);
    return spans;
  };
  const endCall = (event: CallAttemptEvent) => {
    spansOf(event).call.end();
    spansByCall.delete(event.callId);
  };
  return {
    onRequest(event) {
      const spans = spansOf(event);
      spans.attempt = startAttemptSpan(tracer, event, spans.parent);
    },
    onRetry(event) {
      endAttemptSpan(spansOf(event), event.status, event.reason ?? statusType(event.status));
    },
    onSuccess(event) {
      endAttemptSpan(spansOf(event), event.status);
      endCall(event);
    },
    onError(event) {
      failCallSpan(spansOf(event), event);
      endCall(event);
    },
    onCancel(event) {
      endAttemptSpan(spansOf(event));
      endCall(event);
    },
  };
}

/** Name of an unknown error type in the conventions. */
const otherType = '_OTHER';

function startCallSpan(tracer: Tracer, event: CallAttemptEvent): CallSpans {
  const caller = context.active();
  const attributes = { 'email_marketing_client.call_id': event.callId, ...serverOf(event.origin) };
  const call = tracer.startSpan(event.operation, { kind: SpanKind.INTERNAL, attributes }, caller);
  return { call, parent: trace.setSpan(caller, call) };
}

function startAttemptSpan(tracer: Tracer, event: CallAttemptEvent, parent: Context): Span {
  const { method, origin, path, template, attempt } = event;
  const attributes = {
    'http.request.method': method,
    'url.full': origin + path,
    'url.template': template,
    ...serverOf(origin),
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
  };
  return tracer.startSpan(`${method} ${template}`, { kind: SpanKind.CLIENT, attributes }, parent);
}

function serverOf(origin: string): Attributes {
  const { hostname, port, protocol } = new URL(origin);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Ends the span of a failed call, and of its attempt. */
function failCallSpan(spans: CallSpans, { error, outcome, attempts }: CallErrorEvent): void {
  const last = attempts.at(-1);
  const name = error instanceof Error ? error.name : otherType;
  // An abort reason, and a failure reported with status 200, are named by their class.
  const isNamed = !EmailMarketingError.isInstance(error) || (last?.status ?? 400) < 300;
  const reason = isNamed ? name : last?.reason;
  endAttemptSpan(spans, last?.status, reason ?? statusType(last?.status, name));
  spans.call.setAttribute('email_marketing_client.outcome', outcome);
  fail(spans.call, name);
}

/** Ends the span of the current attempt, if any. `errorType` is absent if it succeeded. */
function endAttemptSpan(spans: CallSpans, status?: number, errorType?: string): void {
  const { attempt } = spans;
  if (!attempt) return;
  spans.attempt = undefined;
  if (status !== undefined) attempt.setAttribute('http.response.status_code', status);
  if (errorType !== undefined) fail(attempt, errorType);
  attempt.end();
}

/** Returns an error status as an error type, and `otherwise` for any other. */
const statusType = (status: number | undefined, otherwise = otherType): string =>
  status !== undefined && status >= 400 ? String(status) : otherwise;

function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
