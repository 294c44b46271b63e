import { EmailMarketingError } from '../errors.ts';

/**
 * The place where a function of the library was called. An error of an iteration is created long after, on a stack that
 * no longer holds the caller's line; with {@link CallSite.addTo} it shows that line all the same.
 */
export class CallSite {
  /** Captures the stack; its text is made only when it is read. */
  readonly #captured = new Error();

  /** Appends the frames of the call, once, to the stack of an error of the library; others are left as they are. */
  addTo(error: unknown): void {
    if (!EmailMarketingError.isInstance(error)) return;
    const { stack = '' } = this.#captured;
    // V8 starts with a line for the error itself; other engines start with the first frame.
    const frames = stack.startsWith('Error') ? stack.slice(stack.indexOf('\n') + 1) : stack;
    if (typeof error.stack === 'string' && !error.stack.includes(frames)) error.stack += `\n${frames}`;
  }
}
