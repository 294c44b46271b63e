/** Writes what follows from the operations and their methods: `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './operation-tables.ts';

for (const [path, text] of generatedFiles()) writeFileSync(join(import.meta.dirname, '../..', path), text);
