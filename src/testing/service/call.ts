import type { Silences } from '../options.ts';
import type { Answer } from './refusal.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state.ts';

/** One request that has passed authentication, as the rules see it. */
export interface Call {
  /** The identifier in the path; empty where the path has none. */
  readonly identifier: string;
  readonly query: URLSearchParams;
  /** The body as text; empty when none was sent. */
  readonly body: string;
  readonly state: State;
  readonly teamId: string;
  readonly silences: Silences;
  readonly now: () => Date;
}

/** The rule of one operation: from a request and the state to an answer, or a thrown {@link Refusal}. */
export type Rule = (call: Call) => Answer;

/** The body as an object with text keys; anything else is malformed. */
export function objectBody(call: Call): Readonly<Record<string, unknown>> {
  const value = parse(call.body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('malformed');
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed');
  }
}

/** A member that must be text with something in it. */
export function requiredText(body: Readonly<Record<string, unknown>>, member: string): string {
  const value = optionalText(body, member);
  if (value === undefined || value.trim() === '') throw new Refusal('malformed');
  return value;
}

/** A member that is text when it is there. */
export function optionalText(body: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = own(body, member);
  if (value !== undefined && typeof value !== 'string') throw new Refusal('malformed');
  return value;
}

/** A member that is an array of text when it is there. */
export function textArray(body: Readonly<Record<string, unknown>>, member: string): readonly string[] {
  const value = own(body, member) ?? [];
  if (!Array.isArray(value) || value.some(item => typeof item !== 'string' || item === ''))
    throw new Refusal('malformed');
  return value;
}

/** A member that maps text to text when it is there, as pairs, so that no key can be mistaken for a property. */
export function textMap(
  body: Readonly<Record<string, unknown>>,
  member: string,
): readonly [string, string][] {
  const value = own(body, member) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('malformed');
  const pairs = Object.entries(value);
  if (pairs.some(([key, item]) => key === '' || typeof item !== 'string')) throw new Refusal('malformed');
  return pairs;
}

function own(body: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(body, member) ? body[member] : undefined;
}

const email = /^[^\s@]+@[^\s@]+$/;

/** Whether a text can be an email address. */
export function isEmail(text: string): boolean {
  return text.length <= 320 && email.test(text);
}
