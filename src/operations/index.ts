import type { Operation } from '../http/call/operation.ts';
import type { OperationName } from '../operation-names.ts';
import type { Resources } from '../resources/index.ts';
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

/** In the order of the specification. */
const all: readonly Operation[] = [
  ...domainOperations,
  ...listOperations,
  ...tagOperations,
  ...contactOperations,
  ...postTagOperations,
  ...postCategoryOperations,
  ...senderOperations,
  ...templateOperations,
  ...campaignOperations,
  ...eventOperations,
  ...legacyOperations,
];

/** Every operation of the service, by its name. */
export const operations = Object.fromEntries(all.map(operation => [operation.name, operation])) as Readonly<
  Record<OperationName, Operation>
>;

export type { OperationName };

/** Method that performs an operation. */
type Method<Name extends OperationName> =
  Name extends `${infer Resource extends keyof Resources}.${infer Verb}`
    ? Extract<Resources[Resource][Verb & keyof Resources[Resource]], (...parameters: never[]) => unknown>
    : never;

/** Type of the input of each operation, by its name. Methods without an input take their options alone. */
export type OperationInputs = {
  [Name in OperationName]: 2 extends Parameters<Method<Name>>['length']
    ? Parameters<Method<Name>>[0]
    : undefined;
};

/** Type of the result of each operation, by its name. */
export type OperationResults = {
  [Name in OperationName]: Awaited<ReturnType<Method<Name>>>;
};
