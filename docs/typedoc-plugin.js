// Splits the reference into pages by what a reader looks for, and states each member of an error once; methods come first.
import {
  Comment,
  Converter,
  DeclarationReflection,
  ReferenceType,
  ReflectionGroup,
  ReflectionKind,
} from 'typedoc';
import { referencePages } from './.vitepress/reference-pages.ts';

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

/** @param {import('typedoc').DeclarationReflection} reflection */
const hasPublicParent = ({ extendedTypes = [] }) =>
  extendedTypes.some(type => type.type === 'reference' && type.reflection);

/**
 * Removes parents that are not public, and what names them.
 *
 * @param {import('typedoc').DeclarationReflection} reflection
 */
function forgetParents(reflection) {
  const { extendedTypes = [], typeHierarchy, children = [] } = reflection;
  const known = extendedTypes.filter(
    type => type.type !== 'reference' || type.reflection || type.package !== 'email-marketing-client',
  );
  if (known.length < extendedTypes.length) {
    reflection.extendedTypes = known;
    if (known.length > 0 && typeHierarchy) typeHierarchy.types = known;
    else delete reflection.typeHierarchy;
  }
  if (hasPublicParent(reflection)) return;
  for (const member of children)
    for (const part of [member, ...(member.signatures ?? [])]) {
      delete part.inheritedFrom;
      delete part.overwrites;
    }
}

/**
 * Returns the file in `src` that declares each export of a module.
 *
 * @param {import('typedoc').Context} context
 */
function filesOfExports(context) {
  const pathOf = (/** @type {import('typedoc').Reflection} */ child) =>
    context.getSymbolFromReflection(child)?.declarations?.[0]?.getSourceFile().fileName ?? '';
  const exported = context.project.children?.flatMap(({ children = [] }) => children) ?? [];
  return new Map(exported.map(child => [child, pathOf(child).replace(/^.*\/src\//, '')]));
}

/**
 * Moves exports of the large modules to modules of their own, one per page.
 *
 * @param {import('typedoc').ProjectReflection} project
 * @param {ReadonlyMap<unknown, string>} files
 */
function splitModules(project, files) {
  for (const [title, name, pattern, description] of referencePages) {
    const module = project.children?.find(child => child.name === name);
    if (!module?.groups) continue;
    const page = new DeclarationReflection(title, ReflectionKind.Module, project);
    page.comment = new Comment([{ kind: 'text', text: description }]);
    project.registerReflection(page, undefined, undefined);
    project.addChild(page);
    project.groups?.[0]?.children.push(page);
    page.groups = [];
    for (const group of module.groups) {
      const moved = group.children.filter(child => pattern.test(files.get(child) ?? ''));
      if (moved.length === 0) continue;
      group.children = group.children.filter(child => !moved.includes(child));
      page.groups.push(Object.assign(new ReflectionGroup(group.title, page), { children: moved }));
      for (const child of moved) {
        module.removeChild(child);
        child.parent = page;
        page.addChild(child);
      }
    }
    module.groups = module.groups.filter(({ children }) => children.length > 0);
  }
}

/**
 * Lists what has methods before the records that these take and return.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function listMethodsFirst(project) {
  const isRecord = (/** @type {import('typedoc').Reflection} */ child) =>
    Number(!(child.isDeclaration() && child.children?.some(member => member.kindOf(ReflectionKind.Method))));
  for (const page of project.children ?? [])
    for (const group of page.groups ?? [])
      group.children.sort((one, other) => isRecord(one) - isRecord(other));
}

/**
 * Lists the pages of the index below their entry points.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function groupByEntryPoint(project) {
  const pages = project.children ?? [];
  const titles = new Map(referencePages.map(([title, entry]) => [/** @type {string} */ (title), entry]));
  project.groups = pages
    .filter(({ name }) => !titles.has(name))
    .map(entry =>
      Object.assign(new ReflectionGroup(entry.name, project), {
        children: [entry, ...pages.filter(({ name }) => titles.get(name) === entry.name)],
      }),
    );
}

/**
 * Shows `Output` for `NoInfer<Output>`, of which TypeDoc keeps `NoInfer` alone.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function showInferred(project) {
  for (const { type, typeParameters } of project.getReflectionsByKind(ReflectionKind.CallSignature)) {
    const [parameter] = typeParameters ?? [];
    if (type?.type !== 'reference' || !parameter) continue;
    type.typeArguments = type.typeArguments?.map(argument =>
      argument.toString() === 'NoInfer'
        ? ReferenceType.createResolvedReference(parameter.name, parameter, project)
        : argument,
    );
  }
}

/**
 * States the default value of an option in its description: its own column would leave no room for the others.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function describeDefaults(project) {
  for (const { comment } of Object.values(project.reflections)) {
    const { content = [] } = comment?.getTag('@defaultValue') ?? {};
    if (!comment || content.length === 0) continue;
    // TypeDoc makes a block of code of what has no code in it.
    const inline = content.map(part => ({ ...part, text: part.text.replace(/^```ts\n(.*)\n```$/s, '`$1`') }));
    comment.summary.push({ kind: 'text', text: ' Default: ' }, ...inline, { kind: 'text', text: '.' });
    comment.removeTags('@defaultValue');
  }
}

/**
 * Puts each point of a list on its own line, because a table cell cannot contain a list, and TypeDoc joins its lines.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function showListsInTables(project) {
  for (const { comment } of project.getReflectionsByKind(ReflectionKind.Property))
    for (const part of comment?.summary ?? [])
      if (part.kind === 'text') part.text = part.text.replaceAll(/\n+- /g, '<br>• ');
}

/**
 * Removes initializers, which TypeDoc shows as default values: in records of the sandbox, they name its rules of fields.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function hideInitializers(project) {
  for (const property of project.getReflectionsByKind(ReflectionKind.Property))
    if (property.isDeclaration()) delete property.defaultValue;
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      const repeated = project.getReflectionsByKind(ReflectionKind.ClassOrInterface).flatMap(reflection => {
        if (!reflection.isDeclaration()) return [];
        forgetParents(reflection);
        const repeats = reflection.kindOf(ReflectionKind.Class) && hasPublicParent(reflection);
        return repeats ? (reflection.children ?? []).filter(isRepeated) : [];
      });
      for (const child of repeated) project.removeReflection(child);
      showInferred(project);
      hideInitializers(project);
      showListsInTables(project);
    },
    -1,
  );

  /** @type {ReadonlyMap<unknown, string>} */
  let files = new Map();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, context => {
    files = filesOfExports(context);
    describeDefaults(context.project);
  });
  // After TypeDoc has resolved the links of comments and made groups.
  app.converter.on(Converter.EVENT_END, ({ project }) => {
    splitModules(project, files);
    listMethodsFirst(project);
    groupByEntryPoint(project);
  });
}
