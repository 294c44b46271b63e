// Makes the report of the public interface, test/package/api.txt.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const printer = ts.createPrinter({ removeComments: true });

/** Returns the declarations of the public interface, from the build: by entry point and name, without comments. */
export function apiReport(): string {
  const entries = ['index', 'browser', 'proxy', 'testing', 'opentelemetry'];
  const files = entries.map(entry => `${dist}${entry}.d.ts`);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    moduleResolution: 100,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  return entries
    .map((entry, index) => `// ${entry}\n\n${section(program, checker, files[index] ?? '')}`)
    .join('\n');
}

function section(program: ts.Program, checker: ts.TypeChecker, file: string): string {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  const named = symbols.map(symbol => ({ name: symbol.name, text: declared(checker, symbol) }));
  return named
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, text }) => `// ${name}\n${text}\n`)
    .join('\n');
}

/** Returns the declarations of an export, wherever they are. */
function declared(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const nodes = (target.declarations ?? []).map(node =>
    ts.isVariableDeclaration(node) ? node.parent.parent : node,
  );
  const [only] = nodes;
  const union = only && ts.isTypeAliasDeclaration(only) ? derivedUnion(checker, only) : undefined;
  if (union) return `type ${symbol.name} = ${union};`;
  return nodes.map(node => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())).join('\n');
}

/** Returns the members of a union of strings that is derived from a value; `undefined` for any other type. */
function derivedUnion(checker: ts.TypeChecker, alias: ts.TypeAliasDeclaration): string | undefined {
  const type = checker.getTypeAtLocation(alias);
  const members = type.isUnion() ? type.types : [];
  if (ts.isUnionTypeNode(alias.type) || !members.length || !members.every(member => member.isStringLiteral()))
    return undefined;
  return members
    .map(member => `'${(member as ts.StringLiteralType).value}'`)
    .sort()
    .join(' | ');
}
