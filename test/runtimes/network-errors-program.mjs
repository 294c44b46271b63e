/** Bun, Deno and Node: `program <url of the built package> <addresses as JSON>`. */
import { probe } from './network-errors-probe.mjs';

const [library, addresses] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await probe(await import(library), JSON.parse(addresses))));
