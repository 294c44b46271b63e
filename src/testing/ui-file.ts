/** Folders of the web page's files: in the build or, for the sources, in the last build. */
const folders = [`${import.meta.dirname}/ui/`, `${import.meta.dirname}/../../dist/ui/`];

/** Returns a file of the web page; `undefined` if there is none. */
export function uiFile(name: string): string | undefined {
  if (!/^(?:[a-z]+\.(?:html|css|js)|openapi\.json)$/.test(name)) return undefined;
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const folder = folders.find(each => existsSync(each + name));
  return folder && readFileSync(folder + name, 'utf8');
}
