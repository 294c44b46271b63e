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
    starts: ['const handleCanaryResult', 'if (ctx.skipChecks)', 'if (ctx.direction'],
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
  { module: 'core/errors.js', from: 'const initializer ', starts: ['if (!_installedToString'] },
];

/** Leaves out of the build the parts of zod that no schema of this library uses. */
export const leanZod = lean({
  name: 'zod',
  folder: 'v4',
  blocks: [...unusedMethods, ...asynchronous, ...unusedModes],
});
