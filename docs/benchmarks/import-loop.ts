// The loop by hand beside `import`, for commands.ts: the rows of a file through csv-parse, `bulk` and `identify`.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { bulk, EmailMarketingClient } from 'email-marketing-client';

interface Line {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly 'customFields.points': string;
}

const [path = '', concurrency = '16'] = process.argv.slice(2);
const client = new EmailMarketingClient();
const rows: AsyncIterable<Line> = createReadStream(path).pipe(parse({ columns: true }));
const results = bulk(
  rows,
  ({ 'customFields.points': points, ...person }) =>
    client.legacy.identify({ ...person, customFields: { points } }),
  { concurrency: Number(concurrency), key: ({ email }) => email },
);
for await (const result of results) if (!result.ok) throw result.error;
