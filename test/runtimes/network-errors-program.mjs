/** Bun, Deno and Node: `program <addresses as JSON>`. */
import * as library from 'email-marketing-client';
import { probe } from './network-errors-probe.mjs';

const [addresses] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await probe(library, JSON.parse(addresses))));
