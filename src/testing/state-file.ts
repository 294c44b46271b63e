import { parseJson } from '../core/json.ts';
import { fileSystem, replaceFile } from '../core/replace-file.ts';
import { unknownName } from './rules.ts';
import type { State } from './service/collection.ts';
import { kindNames, type Snapshot, takeSnapshot } from './service/state.ts';

/** Version of the file format. */
const stateVersion = 1;

/** Saves a state to a JSON file, atomically. */
export function saveState(state: State, file: string): Promise<void> {
  const json = JSON.stringify({ version: stateVersion, ...takeSnapshot(state) }, undefined, 1);
  return replaceFile(file, output => output.writeFile(`${json}\n`));
}

/** Reads a state from a JSON file. Rejects with a `RangeError` if it is not one. Checks no records. */
export async function readState(file: string): Promise<Snapshot> {
  return snapshotFrom(await fileSystem().readFile(file, 'utf8'));
}

/** Parses a state. Throws a `RangeError` that says what is wrong with it. */
function snapshotFrom(text: string): Snapshot {
  const json = parseJson(text);
  if (json === undefined) throw new RangeError('the state is not JSON');
  if (typeof json !== 'object' || json === null || !('version' in json) || json.version !== stateVersion)
    throw new RangeError(`the state must be an object with "version": ${stateVersion}`);
  const { version: _, ...kinds } = json as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(kinds))
    if (!kindNames.some(kind => kind === name)) throw unknownName('kind of record', name, kindNames);
  for (const [name, records] of Object.entries(kinds))
    if (!Array.isArray(records)) throw new RangeError(`${name} must be an array`);
  return Object.fromEntries(kindNames.map(kind => [kind, kinds[kind] ?? []])) as Snapshot;
}
