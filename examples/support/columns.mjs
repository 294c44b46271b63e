/** From the columns of a CSV file to what `identify` takes. */
import { UsageError } from './script.mjs';

const fields = ['email', 'newEmail', 'firstName', 'lastName', 'company', 'birthday', 'tags'];

const plain = name => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Makes the function from a row to the parameters of its call. Empty cells are left out.
 *
 * @param {string[]} columns the columns of the file
 * @param {string[]} maps `field=column`, for columns that are not named like their field
 */
export function makeMapping(columns, maps) {
  const columnOf = new Map();
  for (const field of fields) {
    const column = columns.find(name => plain(name) === plain(field));
    if (column !== undefined) columnOf.set(field, column);
  }
  for (const map of maps) {
    const [field, ...rest] = map.split('=');
    const column = rest.join('=');
    if (!fields.includes(field) && !field.startsWith('customFields.'))
      throw new UsageError(
        `--map ${map}: no field is called ${field}; there are ${fields.join(', ')}, customFields.…`,
      );
    if (!columns.includes(column))
      throw new UsageError(`--map ${map}: no column is called ${column}; there are ${columns.join(', ')}`);
    columnOf.set(field, column);
  }
  if (!columnOf.has('email')) throw new UsageError("no column is called email; name it with --map 'email=…'");
  return row => toParams(row, columnOf);
}

function toParams(row, columnOf) {
  const params = {};
  const customFields = {};
  for (const [field, column] of columnOf) {
    const text = row[column]?.trim() ?? '';
    if (text === '' && field !== 'email') continue;
    if (field.startsWith('customFields.')) customFields[field.slice('customFields.'.length)] = text;
    else if (field === 'tags')
      params.tags = text
        .split(';')
        .map(tag => tag.trim())
        .filter(Boolean);
    else params[field] = text;
  }
  return Object.keys(customFields).length > 0 ? { ...params, customFields } : params;
}
