import { invalidRequest } from '../http/invalid-request.ts';
import { isObject } from '../http/json.ts';
import type { CalledOperation, ProxyCall } from './calls.ts';
import { callFunction, FunctionError } from './functions.ts';
import { inputIssues } from './operations.ts';
import { refusal } from './refusal.ts';
import { isAllowed, type ProxySettings } from './settings.ts';

/** A call that may be performed. */
export interface AuthorizedCall {
  readonly operation: CalledOperation;
  /** Input that the page sent. */
  readonly pageInput: unknown;
  /** Input that goes to the service: the page's, or the one that `authorize` put in its place. */
  readonly input: unknown;
  /** Visitor as `authorize` names it. */
  readonly visitor: string | undefined;
}

/** Asks `authorize` about a call. Throws a refusal unless it allows the call. */
export async function authorizeCall(
  request: Request,
  call: ProxyCall,
  settings: ProxySettings,
): Promise<AuthorizedCall> {
  const { operation, input: pageInput } = call;
  const { authorize, callbackTimeout } = settings;
  const decision: unknown = await callFunction({
    name: 'authorize',
    timeout: callbackTimeout,
    outcome: 'not-sent',
    run: () => authorize(request, call),
  });
  if (decision === true) return { operation, pageInput, input: pageInput, visitor: undefined };
  if (!isObject(decision) || !Object.hasOwn(decision, 'input'))
    throw refusal(403, `${operation}: not allowed for this request.`);
  const { input } = decision;
  const issues = inputIssues(operation, input);
  if (issues.length > 0) throw new FunctionError(invalidRequest(operation, issues), 'not-sent');
  if (!isAllowed(settings, operation, input))
    throw new FunctionError(new TypeError('authorize must return an endpoint of allow.'), 'not-sent');
  return { operation, pageInput, input, visitor: visitorOf(decision.visitor) };
}

function visitorOf(visitor: unknown): string | undefined {
  if (visitor === undefined || typeof visitor === 'string') return visitor;
  throw new FunctionError(new TypeError('authorize must return visitor as a string.'), 'not-sent');
}
