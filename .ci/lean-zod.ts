import { type LeftOut, lean } from './leave-out.ts';

const schemas = 'core/schemas.js';
const aType = 'export const $ZodType ';
const anObject = 'export const $ZodObject ';
const anOptional = 'export const $ZodOptional ';

/** What schemas offer to other callers than `safeParse` and `check`. */
const unusedMethods: readonly LeftOut[] = [
  {
    module: 'mini/schemas.js',
    from: 'export const ZodMiniType ',
    starts: [
      'get with()',
      'set with(',
      'parse(data',
      'parseAsync(data',
      'safeParse(data',
      'safeParseAsync(data',
      'brand()',
      'register(',
      'apply(',
    ],
  },
  { module: schemas, from: aType, starts: ['get "~standard"()', 'set "~standard"('] },
];

/** No schema of this library waits for anything. */
const asynchronous: readonly LeftOut[] = [
  {
    module: schemas,
    from: aType,
    starts: ['if (_ instanceof Promise &&', 'if (asyncResult)', 'if (result instanceof Promise)'],
  },
  { module: schemas, from: aType, starts: ['if (asyncResult ||'], body: '{}' },
  { module: schemas, from: 'function handleCatchall', starts: ['if (r instanceof Promise)'], body: '{}' },
  { module: schemas, from: anObject, starts: ['if (r instanceof Promise)'], body: '{}' },
  { module: schemas, from: 'export const $ZodCustom ', starts: ['if (r instanceof Promise)'] },
  { module: 'core/parse.js', from: 'export const _safeParse ', starts: ['if (result instanceof Promise)'] },
];

/** Writing values back, checks under a condition, an end at the first issue, and unions by one member's value. */
const unusedModes: readonly LeftOut[] = [
  {
    module: schemas,
    from: aType,
    starts: [
      'for (const ch of checks)',
      'const handleCanaryResult',
      'if (ctx.skipChecks)',
      'if (ctx.direction',
    ],
  },
  { module: schemas, from: aType, starts: ['if (ch._zod.def.when)'], body: '{}' },
  { module: schemas, from: 'function handleCatchall', starts: ['if (abortEarly'] },
  {
    module: schemas,
    from: anObject,
    starts: ['util.defineLazyInternal(inst, "propValues"', 'if (abortEarly'],
  },
  {
    module: schemas,
    from: anOptional,
    starts: ['util.defineLazyInternal(inst, "values"', 'util.defineLazyInternal(inst, "pattern"'],
  },
  { module: 'core/util.js', from: 'export function finalizeIssue', starts: ['if (ctx?.reportInput)'] },
  { module: 'core/core.js', starts: ['function newError'], body: '{ return new Definition(); }' },
];

/** An error whose issues are read and which is then dropped needs no text, trace or prototype of its own. */
const plainError = `
  export class $ZodRealError { constructor(issues) { this.issues = issues; } }
  export const $ZodError = $ZodRealError;
  export const treeifyError = 0, prettifyError = 0, formatError = 0, flattenError = 0, toDotPath = 0;`;

/** Leaves out of the build the parts of zod that no schema of this library uses. */
export const leanZod = lean({
  name: 'zod',
  folder: 'v4',
  modules: { 'core/errors.js': plainError },
  blocks: [...unusedMethods, ...asynchronous, ...unusedModes],
});
