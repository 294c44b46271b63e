import { expectTypeOf, test } from 'vitest';
import type { List, ListsQuery } from '../../src/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import type { CreateTagParams, Tag } from '../../src/operations/tags.ts';
import type { OperationInputs, OperationResults } from '../../src/resources/index.ts';
import type { Acknowledgement } from '../../src/schemas/acknowledgement.ts';
import type { TagId } from '../../src/schemas/id.ts';

// The compiler does the testing: `npm run types` reads this file like all others.
test('the input and the result of an operation are known by its name', () => {
  expectTypeOf<OperationInputs['tags.create']>().toEqualTypeOf<CreateTagParams>();
  expectTypeOf<OperationResults['tags.create']>().toEqualTypeOf<Tag>();
  expectTypeOf<OperationInputs['tags.delete']>().toEqualTypeOf<TagId>();
  expectTypeOf<OperationResults['tags.delete']>().toEqualTypeOf<Acknowledgement>();
  expectTypeOf<OperationInputs['lists.list']>().toEqualTypeOf<ListsQuery | undefined>();
  expectTypeOf<OperationResults['lists.list']>().toEqualTypeOf<List[]>();
  expectTypeOf<OperationInputs['senders.list']>().toEqualTypeOf<undefined>();
  expectTypeOf<keyof OperationInputs>().toEqualTypeOf<OperationName>();
});
