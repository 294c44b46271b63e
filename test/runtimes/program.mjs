/** Node, Bun and Deno by `import`: `program scenario <address of the sandbox>`, or `program probe <addresses as JSON>`. */
import * as library from 'email-marketing-client';
import { probe } from './probe.mjs';
import { scenario } from './scenario.mjs';

const [name, argument] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await { scenario, probe }[name](library, argument)));
