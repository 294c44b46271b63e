/** One HTTP request, whole: what is sent and nothing else. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** One HTTP answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The part of `fetch` that is used: a URL as text and plain options, so that any compatible function fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What bounds one attempt. */
export interface SendLimits {
  /** Milliseconds for head and body together; `Infinity` for no limit. */
  readonly timeoutMs: number;
  /** The option that `timeoutMs` comes from. */
  readonly limit: 'timeout' | 'totalTimeout';
  /** Largest body that is read, in bytes. */
  readonly maxBytes: number;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
}

/** Makes one attempt. Rejects with a `Fault`, or with the signal's own reason. */
export type Send = (request: HttpRequest, limits: SendLimits) => Promise<HttpAnswer>;
