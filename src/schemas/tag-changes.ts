import * as z from 'zod/mini';

interface TagChanges {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** Refuses an input of Track that changes nothing. */
export const atLeastOneTag = <Schema extends z.ZodMiniType<TagChanges>>(schema: Schema): Schema =>
  schema.check(
    z.refine((changes: TagChanges) => Boolean(changes.addTags?.length || changes.removeTags?.length), {
      error: 'a list of at least one tag, unless removeTags is one',
      path: ['addTags'],
      when: ({ issues }) => issues.length === 0,
    }),
  );
