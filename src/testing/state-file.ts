import { fileSystem, replaceFile } from './replace-file.ts';
import { unknownName } from './rules.ts';
import type { State } from './service/collection.ts';
import { parseFields } from './service/read-fields.ts';
import type { KindName } from './service/records.ts';
import { kindNames, restoreSnapshot, type Snapshot, takeSnapshot } from './service/state.ts';

/** Version of the file format. */
const stateVersion = 1;

/** Saves a state to a JSON file, atomically. */
export function saveState(state: State, file: string): Promise<void> {
  const json = JSON.stringify({ version: stateVersion, ...takeSnapshot(state) }, bigintAsText, 1);
  return replaceFile(file, output => output.writeFile(`${json}\n`));
}

/** Writes nanoseconds as strings, because JavaScript would round them as JSON numbers. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** Loads a state from a JSON file. If the file is invalid, rejects with a `RangeError` and changes nothing. */
export async function loadState(state: State, file: string): Promise<void> {
  restoreSnapshot(state, snapshotFrom(await fileSystem().readFile(file, 'utf8')));
}

/** Parses a state. Throws a `RangeError` that says what is wrong with it. */
function snapshotFrom(text: string): Snapshot {
  const json = parse(text);
  if (typeof json !== 'object' || json === null || !('version' in json) || json.version !== stateVersion)
    throw new RangeError(`the state must be an object with "version": ${stateVersion}`);
  const { version: _, ...kinds } = json as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(kinds))
    if (!kindNames.some(kind => kind === name)) throw unknownName('kind of record', name, kindNames);
  const records = kindNames.map(kind => [kind, recordsFrom(kind, kinds[kind] ?? [])]);
  return Object.fromEntries(records) as Snapshot;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('the state is not JSON');
  }
}

function recordsFrom(kind: KindName, json: unknown): object[] {
  if (!Array.isArray(json)) throw new RangeError(`${kind} must be an array`);
  return json.map((record, index) => {
    try {
      return parseFields(kind, record);
    } catch (error) {
      throw new RangeError(`${kind}[${index}]: ${(error as Error).message}`);
    }
  });
}
