import type { Operation } from '../core/operation.ts';
import { campaignOperations } from './campaigns.ts';
import { contactOperations } from './contacts.ts';
import { domainOperations } from './domains.ts';
import { eventOperations } from './events.ts';
import { legacyOperations } from './legacy.ts';
import { listOperations } from './lists.ts';
import { postCategoryOperations } from './post-categories.ts';
import { postTagOperations } from './post-tags.ts';
import { senderOperations } from './senders.ts';
import { tagOperations } from './tags.ts';
import { templateOperations } from './templates.ts';

/** Every operation of the service by its name, made when first asked for. */
const makeOperations = () => ({
  ...domainOperations(),
  ...listOperations(),
  ...tagOperations(),
  ...contactOperations(),
  ...postTagOperations(),
  ...postCategoryOperations(),
  ...senderOperations(),
  ...templateOperations(),
  ...campaignOperations(),
  ...eventOperations(),
  ...legacyOperations(),
});

/** @internal */
export type Operations = ReturnType<typeof makeOperations>;

/** The name of an operation, such as `tags.create`. */
export type OperationName =
  | 'domains.create'
  | 'lists.create'
  | 'lists.list'
  | 'lists.delete'
  | 'tags.create'
  | 'tags.delete'
  | 'contacts.list'
  | 'postTags.list'
  | 'postTags.get'
  | 'postCategories.create'
  | 'senders.list'
  | 'templates.delete'
  | 'campaigns.delete'
  | 'events.record'
  | 'legacy.identify'
  | 'legacy.track';

let made: Readonly<Record<OperationName, Operation>> | undefined;

/** @internal */
export function operations(): Readonly<Record<OperationName, Operation>> {
  made ??= makeOperations() as Readonly<Record<OperationName, Operation>>;
  return made;
}
