/** Folder of the web page's files: the sources, or `dist/ui`, which both module formats of the build read. */
const folder = `${import.meta.dirname}/ui/`;

/** The OpenAPI document, which the build copies into the folder. */
const sourceOfDocument = `${import.meta.dirname}/../../docs/`;

/** Returns a file of the web page; `undefined` if there is none. Sources are served with their types stripped. */
export function uiFile(name: string): string | undefined {
  if (!/^(?:[a-z-]+\.(?:html|css|js|ts)|openapi\.json)$/.test(name)) return undefined;
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  if (name === 'openapi.json' && !existsSync(folder + name))
    return readFileSync(sourceOfDocument + name, 'utf8');
  if (existsSync(folder + name) && !name.endsWith('.ts')) return readFileSync(folder + name, 'utf8');
  const source = `${folder}${name.replace(/\.js$/, '.ts')}`;
  if (!existsSync(source)) return undefined;
  return process.getBuiltinModule('node:module').stripTypeScriptTypes(readFileSync(source, 'utf8'));
}
