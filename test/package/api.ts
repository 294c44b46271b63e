// Makes the report of the public interface, test/package/api.txt.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** With slashes on every system, as the compiler names its files. */
const dist = fileURLToPath(new URL('../../dist/', import.meta.url)).replaceAll('\\', '/');
const printer = ts.createPrinter({ removeComments: true });

const entries = ['index', 'browser', 'proxy', 'testing', 'testing/msw', 'opentelemetry'];
const files = entries.map(entry => `${dist}${entry}.d.cts`);

const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  moduleResolution: 100,
  lib: ['lib.es2022.d.ts'],
  noEmit: true,
});
const checker = program.getTypeChecker();
/** The exports of each entry point of the build, by its name. */
const byEntry = files.map((file, index) => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return [entries[index] ?? '', module ? checker.getExportsOfModule(module) : []] as const;
});

/** Returns the symbol behind an import or export. */
const target = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Returns the declarations of the public interface, from the build: by entry point and name, without comments. */
export function apiReport(): string {
  return byEntry.map(([entry, symbols]) => `// ${entry}\n\n${section(symbols)}`).join('\n');
}

/** Returns `true` if a declaration has the name by which it is exported. */
const isNamedIn = (text: string, name: string): boolean =>
  new RegExp(`^(declare )?(abstract )?(class|const|function|interface|type) ${name}\\b`).test(text);

function section(symbols: readonly ts.Symbol[]): string {
  const named = symbols.map(symbol => ({ name: symbol.name, text: declared(symbol) }));
  return named
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, text }) => `${isNamedIn(text, name) ? '' : `// ${name}\n`}${text}\n`)
    .join('\n');
}

/** Returns the declarations of an export, wherever they are. */
function declared(symbol: ts.Symbol): string {
  const nodes = (target(symbol).declarations ?? []).map(node =>
    ts.isVariableDeclaration(node) ? node.parent.parent : node,
  );
  const [only] = nodes;
  const union = only && ts.isTypeAliasDeclaration(only) ? derivedUnion(only) : undefined;
  if (union) return `type ${symbol.name} = ${union};`;
  return [...nodes, ...nodes.flatMap(classesOf)]
    .map(node => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
    .join('\n');
}

/** Returns the declarations of the classes from which an interface has its members. */
const classesOf = (node: ts.Node): readonly ts.Declaration[] =>
  ts.isInterfaceDeclaration(node)
    ? (node.heritageClauses ?? [])
        .flatMap(({ types }) =>
          types.flatMap(type => checker.getTypeAtLocation(type).symbol?.declarations ?? []),
        )
        .filter(
          declaration =>
            ts.isClassDeclaration(declaration) && declaration.getSourceFile().fileName.startsWith(dist),
        )
    : [];

/** Returns the members of a union of strings that is derived from a value; `undefined` for any other type. */
function derivedUnion(alias: ts.TypeAliasDeclaration): string | undefined {
  const type = checker.getTypeAtLocation(alias);
  const members = type.isUnion() ? type.types : [];
  if (ts.isUnionTypeNode(alias.type) || !members.length || !members.every(member => member.isStringLiteral()))
    return undefined;
  return members
    .map(member => `'${(member as ts.StringLiteralType).value}'`)
    .sort()
    .join(' | ');
}
