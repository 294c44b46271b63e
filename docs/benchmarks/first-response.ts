// Makes one small POST with the client of a row, in a new process: `node first-response.ts <row> <url>`.
import { rows } from './rows.ts';

const [name, url = ''] = process.argv.slice(2);
const jobs = await rows.find(row => row.name === name)?.make(url);
if (!jobs) throw new Error(`no row is named ${name}`);
await jobs.post();
process.exit();
