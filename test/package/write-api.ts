/** Writes the report of the public interface: `npm run generate` after a build. Review the difference before a commit. */
import { writeFileSync } from 'node:fs';
import { apiReport } from './api.ts';

writeFileSync(new URL('api.txt', import.meta.url), apiReport());
