import { readFile } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { bulk, type EmailMarketingClient, InvalidRequestError } from 'email-marketing-client';
import { merge, type Row, readRows, toContact } from './people.ts';

/** What an import came to. */
export interface Imported {
  /** Each person's rows together, by email in small letters. */
  readonly people: ReadonlyMap<string, Row>;
  /** Lines that were left out, and why. */
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
}

/** Identifies everyone in a CSV file, sixteen at once, with a progress bar. A bad row stops nothing. */
export async function importPeople(client: EmailMarketingClient, path: URL): Promise<Imported> {
  const people = new Map<string, Row>();
  const bad: { line: number; reason: string }[] = [];
  const bar = new SingleBar(
    { format: '  {bar} {value}/{total} rows', noTTYOutput: true, notTTYSchedule: 1000 },
    Presets.shades_classic,
  );
  const [, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  bar.start(lines.length, 0);
  const rows = readRows(path, (line, reason) => bar.increment(bad.push({ line, reason }) && 1));
  const results = bulk(rows, ({ row }, { signal }) => client.legacy.identify(toContact(row), { signal }), {
    concurrency: 16,
    key: ({ row }) => row.email.toLowerCase(),
  });
  for await (const { input, ...result } of results) {
    const key = input.row.email.toLowerCase();
    if (result.ok) people.set(key, merge(people.get(key), input.row));
    else if (InvalidRequestError.isInstance(result.error))
      bad.push({ line: input.line, reason: explain(result.error) });
    else throw result.error;
    bar.increment();
  }
  bar.stop();
  return { people, bad: bad.sort((one, other) => one.line - other.line) };
}

const explain = ({ issues }: InvalidRequestError) =>
  issues.map(({ path, expected }) => `${path} must be ${expected}`).join('; ');
