/** Records the sizes of the built package: `npm run record-sizes`. Say in the commit what grew, and for what. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packInto } from './packed.ts';
import { measure } from './sizes.ts';

const project = mkdtempSync(join(tmpdir(), 'sizes-'));
const sizes = await measure(packInto(project));
rmSync(project, { recursive: true });
writeFileSync(new URL('sizes.json', import.meta.url), `${JSON.stringify(sizes, undefined, 2)}\n`);
