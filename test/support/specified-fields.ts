/**
 * Fields of every body and query, typed out from docs/service-rules.md, in a short form to compare with the OpenAPI document:
 * `type`, `type(format)`, `type^pattern`, `array^pattern`, `map` for a map of strings, `object{field:type}`.
 */

export const createBody = { name: 'string' };

export const eventBody = { name: 'string', identifier: 'string', data: 'map', 'time?': 'integer(int64)' };

export const identifyBody = {
  email: 'string(email)',
  'newEmail?': 'string(email)',
  'firstName?': 'string',
  'lastName?': 'string',
  'company?': 'string',
  'birthday?': 'string(date)',
  'customFields?': 'map',
  'tags?': 'array',
};

export const trackQuery = { email: { type: 'string', format: 'email' } };
export const trackBody = { addTags: 'array', removeTags: 'array' };

/** Pattern of an identifier in a path. */
export const identifier = (prefix: string): string => `^(${prefix})?[a-zA-Z0-9]{22}$`;

/** Query of a listing, with the widest documented bounds (rules 4.3 and 4.4). */
export const pageQuery = <Filters extends Record<string, object>>(maxLimit: number, filters: Filters) => ({
  offset: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: maxLimit },
  ...filters,
});

/** A text of so many characters. */
export const characters = (minLength: number, maxLength: number) => ({
  type: 'string',
  minLength,
  maxLength,
});
