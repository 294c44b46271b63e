/** Node, Bun and Deno by `import`: `program <address of the sandbox>`. */
import * as library from 'email-marketing-client';
import { scenario } from './scenario.mjs';

const [baseUrl] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await scenario(library, baseUrl)));
