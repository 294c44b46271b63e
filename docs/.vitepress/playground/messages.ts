/** A program for the worker to run. */
export interface Program {
  readonly code: string;
  /** Name of the faults to switch on. */
  readonly fault: string;
}

/** One request that a sandbox got, with its response. */
export interface ShownRequest {
  readonly title: string;
  readonly status: string;
  readonly request: string;
  readonly response: string;
}

/** Message from the worker to the page. */
export type Report =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'requests'; readonly requests: readonly ShownRequest[] }
  | { readonly kind: 'end'; readonly error?: string | undefined };
