/** Folder of the web page's sources. */
const folder = new URL('../ui/', import.meta.url);

/**
 * Returns the web page's files by name. In the built package they are bundled into this module (see `tsup.config.ts`);
 * when run from source, each TypeScript module is served with its types stripped.
 */
export function uiFiles(): Readonly<Record<string, string>> {
  const fs = process.getBuiltinModule('node:fs');
  const { stripTypeScriptTypes } = process.getBuiltinModule('node:module');
  const files = fs.readdirSync(folder).filter(name => /\.(?:html|css|ts)$/.test(name));
  const pairs = files.map(name => {
    const text = fs.readFileSync(new URL(name, folder), 'utf8');
    return [name, name.endsWith('.ts') ? stripTypeScriptTypes(text) : text];
  });
  const sources = Object.fromEntries(pairs);
  return { ...sources, 'main.js': sources['main.ts'] };
}
