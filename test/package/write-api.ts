/** Writes the report of the public interface. Usage: `npm run generate`, after a build; review the difference before you commit it. */
import { writeFileSync } from 'node:fs';
import { apiReport } from './api.ts';

writeFileSync(new URL('api.txt', import.meta.url), apiReport());
