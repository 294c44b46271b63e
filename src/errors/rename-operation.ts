import type { EmailMarketingError } from './base.ts';

/** Members of an error that hold the name of its operation. */
interface Named {
  operation: string | undefined;
  message: string;
  stack?: string;
}

/** Names another operation in an error: its member `operation`, its message, and the stack, which repeats the message. */
export function renameOperation(error: EmailMarketingError, name: string): void {
  const named: Named = error;
  const { operation, message, stack } = named;
  const renamed =
    operation !== undefined && message.startsWith(`${operation}: `)
      ? name + message.slice(operation.length)
      : message;
  // A function, as `$` would have a meaning of its own in a text.
  if (stack !== undefined) named.stack = stack.replace(message, () => renamed);
  named.message = renamed;
  named.operation = name;
}
