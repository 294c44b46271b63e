import { EmailMarketingError } from '../errors.ts';

/**
 * Appends the frames of `callSite`, captured where a function of the library was called, once to the stack of an error
 * of the library; others are left as they are. An error of a call is created long after, on a stack that no longer holds
 * the caller's line.
 */
export function addCallSite(error: unknown, callSite: Error): void {
  if (!EmailMarketingError.isInstance(error)) return;
  // The text of a stack is made when it is read, so that capturing one costs little.
  const { stack = '' } = callSite;
  // V8 starts with a line for the error itself; other engines start with the first frame.
  const frames = stack.startsWith('Error') ? stack.slice(stack.indexOf('\n') + 1) : stack;
  if (typeof error.stack === 'string' && !error.stack.includes(frames)) error.stack += `\n${frames}`;
}
