import { readFileSync } from 'node:fs';
import type { Contact } from '../../index.ts';
import { UsageError } from '../command-line.ts';

/** Names of tags and custom fields by their ids, which are all that the service's contacts hold. */
export interface Names {
  readonly tags: ReadonlyMap<string, string>;
  readonly customFields: ReadonlyMap<string, string>;
}

/** The parts of a contact's tags and custom fields that have a name, and those that have none. */
export interface NamedParts {
  readonly tags: string[];
  readonly unnamedTags: string[];
  readonly customFields: Record<string, string>;
  readonly unnamedCustomFields: Record<string, string>;
}

const prefix = /^(tag_|custom_field_|field_)/;
const bare = (id: string): string => id.replace(prefix, '');

/**
 * Reads names from `--tag` and `--field`, each `ID=NAME`, and from a JSON file with the members `tags` and
 * `customFields`, each an object of names by id.
 */
export function readNames(
  tags: readonly string[],
  fields: readonly string[],
  file: string | undefined,
): Names {
  const saved = file === undefined ? {} : readNamesFile(file);
  const names = {
    tags: new Map([...(saved.tags ?? []), ...tags.map(text => pair('--tag', text))]),
    customFields: new Map([...(saved.customFields ?? []), ...fields.map(text => pair('--field', text))]),
  };
  const used = [...names.customFields.values()];
  const twice = used.find((name, index) => used.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two custom fields are named ${twice}: a column needs a name of its own`);
  return names;
}

function pair(flag: string, text: string): [id: string, name: string] {
  const [, id = '', name = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (id === '') throw new UsageError(`${flag} takes ID=NAME (got ${JSON.stringify(text)})`);
  return [bare(id), name];
}

type SavedNames = Partial<Record<keyof Names, [string, string][]>>;

function readNamesFile(file: string): SavedNames {
  const members = (value: unknown, name: string): [string, string][] => {
    const entries = Object.entries(value ?? {});
    const wrong =
      typeof (value ?? {}) !== 'object' ||
      entries.some(([, text]) => typeof text !== 'string' || text === '');
    if (wrong) throw new UsageError(`${file}: ${name} must be an object of names by id`);
    return entries.map(([id, text]) => [bare(id), text]);
  };
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'));
    return { tags: members(json?.tags, 'tags'), customFields: members(json?.customFields, 'customFields') };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Splits a contact's tags and custom fields into those with a name and those without. */
export function nameParts(contact: Contact, names: Names): NamedParts {
  const customFields: [string, string][] = [];
  const unnamedCustomFields: [string, string][] = [];
  for (const [id, value] of Object.entries(contact.customFields)) {
    const name = names.customFields.get(bare(id));
    if (name === undefined) unnamedCustomFields.push([id, value]);
    else customFields.push([name, value]);
  }
  return {
    tags: contact.tags.flatMap(id => names.tags.get(bare(id)) ?? []),
    unnamedTags: contact.tags.filter(id => !names.tags.has(bare(id))),
    customFields: Object.fromEntries(customFields),
    unnamedCustomFields: Object.fromEntries(unnamedCustomFields),
  };
}
