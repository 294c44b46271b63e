import type { EmailMarketingError, ErrorDetails } from './base.ts';

/** Names another operation in an error: its member `operation`, its message, and the stack, which repeats the message. */
export function renameOperation(error: EmailMarketingError, name: string): void {
  const { operation, message } = error;
  const isNamed = operation !== undefined && message.startsWith(`${operation}: `);
  const renamed = isNamed ? name + message.slice(operation.length) : message;
  // A function, as a text would have `$` of its own meaning.
  error.stack = error.stack?.replace(message, () => renamed);
  error.message = renamed;
  (error as Pick<ErrorDetails, never> & { operation: string | undefined }).operation = name;
}
