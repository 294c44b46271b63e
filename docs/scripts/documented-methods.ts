// Reads the doc comments and the signatures of the client's methods, for the tables of the documents and for the
// OpenAPI document.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One method of a resource, as its source documents it. */
export interface DocumentedMethod {
  /** The call as a reader would write it: `client.tags.create({ name })`. */
  readonly call: string;
  /** First sentence of the doc comment, without its full stop. */
  readonly summary: string;
  /** Type of the first parameter, where it is the input of the operation. */
  readonly input: string | undefined;
  /** Type that the method resolves to. */
  readonly result: string;
}

const resources = fileURLToPath(new URL('../../src/resources/index.ts', import.meta.url));

/** Members of an input that a call shows; of a longer one it shows those that are required. */
const maxMembersShown = 4;

/** Returns every method that performs an operation, by the name of the operation. */
export function documentedMethods(): ReadonlyMap<string, DocumentedMethod> {
  const program = ts.createProgram([resources], {
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(resources);
  const module = source && checker.getSymbolAtLocation(source);
  const all = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Resources');
  if (all === undefined) throw new Error(`There is no interface Resources in ${resources}.`);
  return new Map(
    checker
      .getDeclaredTypeOfSymbol(all)
      .getProperties()
      .flatMap(resource => methodsOf(resource, checker)),
  );
}

function methodsOf(resource: ts.Symbol, checker: ts.TypeChecker): [string, DocumentedMethod][] {
  const methods = checker.getTypeOfSymbol(resource).getProperties();
  return methods.flatMap(method => {
    const { valueDeclaration: node } = method;
    const isOperation =
      node && ts.isMethodSignature(node) && node.type && /^ApiPromise</.test(node.type.getText());
    if (!isOperation) return [];
    const name = `${resource.name}.${method.name}`;
    return [[name, documented(name, method, node, checker)]];
  });
}

function documented(
  name: string,
  method: ts.Symbol,
  node: ts.MethodSignature,
  checker: ts.TypeChecker,
): DocumentedMethod {
  const comment = ts.displayPartsToString(method.getDocumentationComment(checker)).replaceAll('\n', ' ');
  const input = node.parameters.find(parameter => parameter.name.getText() !== 'options');
  return {
    call: `client.${name}(${input ? argument(input, checker) : ''})`,
    summary: comment.split('. ')[0]?.replace(/\.$/, '') ?? '',
    input: input?.type?.getText(),
    result: /^ApiPromise<(.+)>$/.exec(node.type?.getText() ?? '')?.[1] ?? '',
  };
}

/** The argument as its members in braces, or the name of the parameter if it is not an object. */
function argument(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): string {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(parameter));
  if (checker.isTypeAssignableTo(type, checker.getStringType())) return parameter.name.getText();
  const members = type.getProperties();
  const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
  const shown =
    members.length > maxMembersShown
      ? [...required.map(({ name }) => name), '…']
      : members.map(({ name }) => name);
  return `{ ${shown.join(', ')} }`;
}
