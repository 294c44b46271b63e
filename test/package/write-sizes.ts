/** Records the sizes of the built package: `npm run record-sizes`. Say in the commit what grew, and for what. */
import { writeFileSync } from 'node:fs';
import { measure } from './sizes.ts';

writeFileSync(new URL('sizes.json', import.meta.url), `${JSON.stringify(await measure(), undefined, 2)}\n`);
