import type { Rule } from './call.ts';
import { identify, track } from './legacy.ts';
import * as rest from './rest.ts';

/** The operations of the service by method and path, as section 4 of the specification writes them. */
export type OperationName =
  | 'POST /domain'
  | 'POST /list'
  | 'GET /list'
  | 'DELETE /list/{identifier}'
  | 'POST /tag'
  | 'DELETE /tag/{identifier}'
  | 'GET /contact'
  | 'GET /post/tag'
  | 'GET /post/tag/{identifier}'
  | 'POST /post/category'
  | 'GET /sender'
  | 'DELETE /template/email/{identifier}'
  | 'DELETE /campaign/{identifier}'
  | 'POST /events/custom'
  | 'POST /contact/identify'
  | 'POST /contact/track';

/** One operation: where it is, and its rule. */
export interface Route {
  readonly name: OperationName;
  readonly api: 'rest' | 'legacy';
  readonly method: string;
  /** The path's parts, below the interface's own. */
  readonly parts: readonly string[];
  readonly rule: Rule;
}

const restRules: Partial<Record<OperationName, Rule>> = {
  'POST /domain': rest.createDomain,
  'POST /list': rest.createList,
  'GET /list': rest.getLists,
  'DELETE /list/{identifier}': rest.deleteList,
  'POST /tag': rest.createTag,
  'DELETE /tag/{identifier}': rest.deleteTag,
  'GET /contact': rest.getContacts,
  'GET /post/tag': rest.getPostTags,
  'GET /post/tag/{identifier}': rest.getPostTag,
  'POST /post/category': rest.createPostCategory,
  'GET /sender': rest.getSenders,
  'DELETE /template/email/{identifier}': rest.deleteTemplate,
  'DELETE /campaign/{identifier}': rest.deleteCampaign,
  'POST /events/custom': rest.recordEvent,
};

const legacyRules: Partial<Record<OperationName, Rule>> = {
  'POST /contact/identify': identify,
  'POST /contact/track': track,
};

const routes: readonly Route[] = [...table('rest', restRules), ...table('legacy', legacyRules)];

function table(api: Route['api'], rules: Partial<Record<OperationName, Rule>>): Route[] {
  return Object.entries(rules).map(([name, rule]) => {
    const [method = '', path = ''] = name.split(' ');
    return { name: name as OperationName, api, method, parts: path.slice(1).split('/'), rule };
  });
}

/** The names of all operations. */
export const operationNames: readonly OperationName[] = routes.map(route => route.name);

/** Where a path leads: its operations by method, and its identifier. */
export interface Match {
  readonly routes: readonly Route[];
  readonly identifier: string;
}

/** Finds the operations of a path below an interface's own; its parts are decoded one by one, so `%2F` splits nothing. */
export function match(api: Route['api'], path: string): Match {
  const parts = path.split('/').slice(1).map(decode);
  const found = routes.filter(route => route.api === api && fits(route.parts, parts));
  const place = found[0]?.parts.indexOf('{identifier}') ?? -1;
  return { routes: found, identifier: parts[place] ?? '' };
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => part === parts[index] || (part === '{identifier}' && parts[index] !== ''))
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
