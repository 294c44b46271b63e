// Orders the reference by what a reader looks for, and states each member of an error once.
import { CommentTag, Converter, ReflectionKind } from 'typedoc';

/** Categories of the main module in their order, each by the paths of its files in `src`. */
export const categories = /** @type {const} */ ([
  ['Client', /^(client|version)\.ts$/],
  ['Operations', /^(resources|operations)\//],
  ['Pagination and bulk operations', /^(pagination\/|bulk)/],
  ['Options', /^options|^http\/(options|limits|transport)\//],
  ['Calls', /^http\//],
  ['Errors', /^errors/],
  ['Helpers', /./],
]);

/** @param {string} path */
const categoryOf = path => categories.find(([, files]) => files.test(path))?.[0] ?? '';

/**
 * Whether a member of a class is described with its parent: an inherited one, one that only narrows its type, or the
 * constructor.
 *
 * @param {import('typedoc').DeclarationReflection} member
 */
const isRepeated = member =>
  [member, ...(member.signatures ?? []), member.getSignature].some(
    part => part?.inheritedFrom || part?.overwrites,
  ) || member.kindOf(ReflectionKind.Constructor);

/**
 * Removes what names a parent that is not public.
 *
 * @param {import('typedoc').DeclarationReflection} reflection
 */
function forgetParent(reflection) {
  delete reflection.extendedTypes;
  delete reflection.typeHierarchy;
  for (const member of reflection.children ?? [])
    for (const part of [member, ...(member.signatures ?? [])]) {
      delete part.inheritedFrom;
      delete part.overwrites;
    }
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, context => {
    const [main] = context.project.getReflectionsByKind(ReflectionKind.Module);
    for (const { children } of [main].filter(reflection => reflection?.isDeclaration()))
      for (const child of children ?? []) {
        const file = context.getSymbolFromReflection(child)?.declarations?.[0]?.getSourceFile().fileName;
        const tag = new CommentTag('@category', [
          { kind: 'text', text: categoryOf(file?.replace(/^.*\/src\//, '') ?? '') },
        ]);
        for (const { comment } of child.signatures ?? [child]) comment?.blockTags.push(tag.clone());
      }
  });

  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      const repeated = project.getReflectionsByKind(ReflectionKind.Class).flatMap(reflection => {
        if (!reflection.isDeclaration()) return [];
        const { extendedTypes = [], children = [] } = reflection;
        const hasParent = extendedTypes.some(type => type.type === 'reference' && type.reflection);
        if (!hasParent) forgetParent(reflection);
        return hasParent ? children.filter(isRepeated) : [];
      });
      for (const child of repeated) project.removeReflection(child);
    },
    -1,
  );
}
