import { isObject, literalOrType, parseJson, typeName } from '../../core/json.ts';
import { isText, noSuch } from '../rules.ts';
import type { Ambiguities } from './ambiguities.ts';
import type { Collection, State } from './collection.ts';
import { malformed, type ServiceResponse, unknown } from './error-response.ts';

/** Authenticated request, as passed to the handlers. */
export interface ServiceRequest {
  readonly method: string;
  /** Decoded path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The body as text; empty if none was sent. */
  readonly body: string;
  readonly state: State;
  readonly teamId: string;
  readonly ambiguities: Ambiguities;
  readonly now: () => Date;
}

/** Handles requests to an endpoint. Returns the response, or throws an `ErrorResponse`. */
export type RequestHandler = (
  call: ServiceRequest,
) => ServiceResponse | undefined | Promise<ServiceResponse | undefined>;

/** Operation of each endpoint, as the client names it, and its handler. */
export type EndpointTable<Name extends string = string> = Readonly<
  Record<string, readonly [operation: Name, handle: RequestHandler]>
>;

type Body = Readonly<Record<string, unknown>>;

/** Parses the body, which must be a JSON object with these fields; others are ignored or rejected. */
export function objectBody({ body, ambiguities }: ServiceRequest, fields: readonly string[]): Body {
  const value = parseBody(body);
  if (!isObject(value)) throw malformed(`the body must be a JSON object (got ${typeName(value)})`);
  const unknownField = Object.keys(value).find(name => !fields.includes(name));
  if (unknownField !== undefined && ambiguities.unknownFields === 'reject')
    throw malformed(noSuch('field', unknownField, fields).message);
  return value;
}

/** Parses the body, which must be JSON. */
export function parseBody(text: string): unknown {
  const json = parseJson(text);
  if (json !== undefined) return json;
  throw malformed(text === '' ? 'the body is missing' : 'the body is not JSON');
}

/** Returns a member that must be a non-blank string. */
export function requiredText(body: Body, member: string): string {
  const value = optionalText(body, member);
  if (value === undefined) throw malformed(`"${member}" is missing`);
  if (value.trim() === '') throw malformed(`"${member}" is blank`);
  return value;
}

/** Returns a member that must be a string or absent. */
export function optionalText(body: Body, member: string): string | undefined {
  const value = body[member];
  if (value !== undefined && typeof value !== 'string')
    throw malformed(`"${member}" must be a string (got ${typeName(value)})`);
  return value;
}

/** Returns a member that must be an array of strings that are not blank, or absent. */
export function textArray(body: Body, member: string): readonly string[] {
  const { [member]: value = [] } = body;
  if (!Array.isArray(value) || !value.every(item => isText(item) && item.trim() !== ''))
    throw malformed(`"${member}" must be an array of non-blank strings`);
  return value;
}

/** Returns the entries of a member that must be an object of strings or absent. */
export function textMap(body: Body, member: string): readonly [string, string][] {
  const { [member]: value = {} } = body;
  if (!isObject(value)) throw malformed(`"${member}" must be an object`);
  return Object.entries(value).map(([key, item]) => {
    if (key.trim() === '') throw malformed(`"${member}" has a blank key`);
    if (isText(item)) return [key, item];
    throw malformed(`"${member}.${key.slice(0, 50)}" must be a string (got ${typeName(item)})`);
  });
}

/** Returns the decoded query as an object; if a name is repeated, its first value counts. */
export function queryOf(params: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...params.keys()].map(name => [name, params.get(name) ?? '']));
}

/** Returns the record that the path names. */
export function recordOf<T extends { readonly id: string }>(
  { params: { identifier = '' } }: ServiceRequest,
  records: Collection<T>,
): T {
  const record = records.get(identifier);
  if (record === undefined) throw unknown(`no record has the id ${literalOrType(identifier)}`);
  return record;
}

/** Creates the response that contains a record, a list of records, or other JSON. */
export const success = (json: unknown): ServiceResponse => ({ status: 200, json });

/** Creates the response that confirms a delete or an event. */
export const acknowledged = (message: string): ServiceResponse => success({ status: 'success', message });
