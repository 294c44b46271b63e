/**
 * A process with the queue of examples/pg-boss.ts, in its own PostgreSQL: PGlite, with its data in a folder.
 * Usage: `node pg-boss-process.ts FOLDER [FILE]`. It adds the jobs of a file with JSON, works, and ends once no job is left,
 * with the jobs for a person as JSON.
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { EmailMarketingClient } from 'email-marketing-client';
import { fromPglite, PgBoss } from 'pg-boss';
import { addJob, createQueues, queueName, reviewName, work } from '../../examples/pg-boss.ts';

const [folder, file] = process.argv.slice(2);
const database = new PGlite(folder);
const boss = new PgBoss({
  db: fromPglite(database),
  backend: 'pglite',
  monitorIntervalSeconds: 1,
  superviseIntervalSeconds: 1,
});
boss.on('error', error => console.error(error.message));
await boss.start();
if (file) {
  await createQueues(boss);
  for (const job of JSON.parse(readFileSync(file, 'utf8'))) await addJob(boss, job);
}
await work(boss, new EmailMarketingClient({ maxRetries: 1, totalTimeout: 5_000 }));
for (;;) {
  await setTimeout(500);
  const open = "SELECT 1 FROM pgboss.job WHERE name = $1 AND state < 'completed' LIMIT 1";
  if ((await database.query(open, [queueName])).rows.length === 0) break;
}
const reviewed = await boss.fetch(reviewName, { batchSize: 10_000 });
console.log(JSON.stringify(reviewed.map(({ data }) => data)));
process.exit(0);
