// What `npm run generate` writes: the tables of operations, and a sentence on listings, in the documents, and the OpenAPI document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointOf } from '../../src/client/endpoints.ts';
import { type OperationName, operationNames, operations } from '../../src/resources/operations.ts';
import { documentedMethods } from './documented-methods.ts';
import { openApiDocument } from './openapi-document.ts';

const root = join(import.meta.dirname, '../..');
const all = operationNames.map(endpointOf);
const methods = documentedMethods();

/** Returns the method of an operation. */
function methodOf(name: string) {
  const method = methods.get(name);
  if (method === undefined) throw new Error(`Operation ${name} has no method in src/resources.`);
  return method;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replaceAll(' --- ', '---');

/** Tables and sentences by the name in the comment that starts each of them. */
const tables: Readonly<Record<string, () => string>> = {
  operations: () =>
    table(
      ['call', 'resolves to', 'what it does'],
      all.map(({ name }) => {
        const { call, result, summary } = methodOf(name);
        return [`\`${call}\``, `\`${result}\``, summary];
      }),
    ),
  endpoints: () =>
    table(
      ['call', 'request'],
      all.map(({ name, api, method, path }) => [
        `\`${methodOf(name).call}\``,
        `${api === 'rest' ? '' : `${api} `}\`${method} ${path.replace('{identifier}', '{id}')}\``,
      ]),
    ),
  listings: () => {
    const names = all.filter(({ name }) => 'pageSizes' in operations[name as OperationName]);
    const calls = names.map(({ name }) => `\`${name.replace('.list', '.all')}\``).sort();
    return `${new Intl.ListFormat('en').format(calls)} return a \`Paginator\`.`;
  },
};

const marked = /(<!-- (\w+): written by `npm run generate` -->\n\n).*?(\n\n<!-- end of \2 -->)/gs;

/** Returns a document with its tables as the sources have them. */
function withTables(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  if (text.search(marked) < 0) throw new Error(`${path} has no comment where a table starts.`);
  return text.replace(
    marked,
    (_, start: string, name: string, end: string) => `${start}${tables[name]?.()}${end}`,
  );
}

/** Files that hold what follows from the operations and their methods: by path, the text that each must have. */
export const generatedFiles = (): readonly (readonly [path: string, text: string])[] => [
  ...['AGENTS.md', 'docs/api.md', 'docs/pagination.md'].map(path => [path, withTables(path)] as const),
  ['docs/openapi.json', `${JSON.stringify(openApiDocument(methods), null, 2)}\n`],
];
