// Writes the OpenAPI document. Usage: `npm run generate`.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';

writeFileSync(
  new URL('../../docs/openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
