// Responses of any service, and their forms.
import type { Decisions } from './decisions.ts';

export type Fields = Record<string, unknown>;

/** Conditions under which the service responds with an error. */
export type Condition = keyof Decisions['status'];

/** Response of the service. An `undefined` body is empty. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
}

/** Error that ends the handling of a request. */
export class Refusal extends Error {
  readonly condition: Condition;

  constructor(condition: Condition, message: string) {
    super(message);
    this.condition = condition;
  }
}

export const messages = {
  key: 'team id or API key not valid',
  used: 'resource with this name already exists',
  malformed: 'request body not in proper format',
  unknown: 'resource not found',
  failure: 'internal server error occurred',
} as const;

/** Returns an error in a form. Those that a 2xx would make unreadable come under another status. */
export function inForm(form: string, { status, body }: Reply, message: string): Reply {
  const notSuccess = status < 300 ? 400 : status;
  const number = status < 400 ? 400 : status;
  const replies: Record<string, Reply> = {
    documented: { status, body },
    'text status': { status, body: { status: `${number}`, message } },
    number: { status, body: { status: number, message } },
    error: { status, body: { error: message } },
    'error object': { status, body: { error: { code: 7, message } } },
    failed: { status, body: { status: 'failed', message } },
    failure: { status, body: { status: 'Failure', message, data: null } },
    success: { status, body: { success: false, message } },
    errors: { status, body: { errors: [{ message }] } },
    'errors by field': { status, body: { status: 'success', errors: { email: [message] } } },
    text: { status: notSuccess, text: message },
    html: { status: notSuccess, text: `<!doctype html><title>${message}</title>` },
    empty: { status: notSuccess },
  };
  return replies[form] as Reply;
}
