import type { Ambiguities } from './ambiguities.ts';
import { Refusal, type ServiceResponse } from './refusal.ts';
import type { State } from './state.ts';

/** One request that has passed authentication, as the rules see it. */
export interface Call {
  readonly method: string;
  /** Parameters of the path, decoded, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The body as text; empty when none was sent. */
  readonly body: string;
  readonly state: State;
  readonly teamId: string;
  readonly ambiguities: Ambiguities;
  readonly now: () => Date;
}

/** The rule of one endpoint: returns the response to a request, or throws a {@link Refusal}. */
export type Rule = (call: Call) => ServiceResponse | Promise<ServiceResponse>;

/** Rule of an endpoint, with the name of the operation that the client's errors carry. */
export interface EndpointRule<Name extends string = string> {
  readonly operation: Name;
  readonly rule: Rule;
}

/** Returns an entry of the tables of endpoints. */
export const endpoint = <const Name extends string>(operation: Name, rule: Rule): EndpointRule<Name> => ({
  operation,
  rule,
});

/** Returns the body as an object with text keys; anything else is malformed. */
export function objectBody(call: Call): Readonly<Record<string, unknown>> {
  const value = parse(call.body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`the body must be a JSON object (got ${nameOf(value)})`);
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(text === '' ? 'the body is missing' : 'the body is not JSON');
  }
}

/** Returns the refusal of a malformed body, with what is wrong for the journal. */
export function malformed(reason: string): Refusal {
  return new Refusal('malformed', { reason });
}

/** Names the type of a value, such as `array`. */
function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns a member that must be text with something in it. */
export function requiredText(body: Readonly<Record<string, unknown>>, member: string): string {
  const value = optionalText(body, member);
  if (value === undefined) throw malformed(`"${member}" is missing`);
  if (value.trim() === '') throw malformed(`"${member}" is blank`);
  return value;
}

/** Returns a member that is text when it is there. */
export function optionalText(body: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = own(body, member);
  if (value !== undefined && typeof value !== 'string')
    throw malformed(`"${member}" must be text (got ${nameOf(value)})`);
  return value;
}

/** Returns a member that is an array of text when it is there. */
export function textArray(body: Readonly<Record<string, unknown>>, member: string): readonly string[] {
  const value = own(body, member) ?? [];
  if (!Array.isArray(value) || value.some(item => typeof item !== 'string' || item === ''))
    throw malformed(`"${member}" must be an array of text`);
  return value;
}

/** Returns a member that maps text to text when it is there, as pairs, so that no key is mistaken for a property. */
export function textMap(
  body: Readonly<Record<string, unknown>>,
  member: string,
): readonly [string, string][] {
  const value = own(body, member) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`"${member}" must be an object`);
  const pairs = Object.entries(value);
  for (const [key, item] of pairs)
    if (key === '' || typeof item !== 'string')
      throw malformed(`"${member}.${key.slice(0, 50)}" must be text (got ${nameOf(item)})`);
  return pairs;
}

function own(body: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(body, member) ? body[member] : undefined;
}

/** Longest email address, in characters: 64 of the mailbox, `@`, and 255 of the domain. */
const maxEmailLength = 320;
const email = /^[^\s@]+@[^\s@]+$/;

/** Returns `true` if a text can be an email address. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && email.test(text);
}
