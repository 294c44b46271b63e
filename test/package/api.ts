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

/** Returns the symbol behind an import or export. */
const target = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Returns the exports of an entry point of the build, sorted by name. */
function exportsOf(file: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  return symbols.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the declarations of the public interface, from the build: by entry point and name. An export of an earlier entry
 * point is only named.
 */
export function apiReport(): string {
  const reported = new Set<ts.Symbol>();
  const sections = files.map((file, index) => {
    const symbols = exportsOf(file);
    const again = symbols.filter(symbol => reported.has(target(symbol)));
    const others = symbols.filter(symbol => !again.includes(symbol));
    for (const symbol of others) reported.add(target(symbol));
    const names = again.map(({ name }) => `export ${name}\n`);
    return [`// ${entries[index]}\n`, ...names, ...others.map(declared)].join('');
  });
  return sections.join('\n');
}

/** Returns the declarations of an export, wherever they are. */
function declared(symbol: ts.Symbol): string {
  const nodes = (target(symbol).declarations ?? []).map(node =>
    ts.isVariableDeclaration(node) ? node.parent.parent : node,
  );
  const [only] = nodes;
  const union = only && ts.isTypeAliasDeclaration(only) ? derivedUnion(only) : undefined;
  const texts = union
    ? [`type ${symbol.name} = ${union};`]
    : [...nodes, ...nodes.flatMap(classesOf)].map(printed);
  const isNamed = texts.some(text => text.includes(` ${symbol.name}`));
  return [...(isNamed ? [] : [`export ${symbol.name}`]), ...texts].map(text => `${text}\n`).join('');
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

/** Returns a declaration without comments and outer braces: a line for each member, which has its whole type. */
function printed(node: ts.Node): string {
  const keepTogether = (child: ts.Node): void => {
    ts.setEmitFlags(child, ts.EmitFlags.SingleLine);
    ts.forEachChild(child, keepTogether);
  };
  keepTogether(node);
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replace(/ \{$/m, '').replace(/\n\}$/, '').replaceAll(/^ +/gm, '  ');
}
