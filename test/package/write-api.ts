/** Writes down what is public. Usage: `npm run generate`, after a build; look at the difference before you commit it. */
import { writeFileSync } from 'node:fs';
import { apiReport } from './api.ts';

writeFileSync(new URL('api.txt', import.meta.url), apiReport());
