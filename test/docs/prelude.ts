/** Names that each module exports, by the module's name. */
export type ExportedNames = Readonly<Record<string, readonly string[]>>;

/** Returns the imports and the `client` that a snippet leaves out, on one line. */
export function prelude(code: string, modules: ExportedNames): string {
  if (code.includes('require(')) return '';
  const wantsClient = /\bclient\b/.test(code) && !/\b(const|let) client\b|\bclient[:,)]/.test(code);
  const imports = Object.entries(modules).map(([module, names]) =>
    imported(wantsClient ? `${code} EmailMarketingClient` : code, module, names),
  );
  return imports.join('') + (wantsClient ? 'const client = new EmailMarketingClient(); ' : '');
}

function imported(code: string, module: string, exported: readonly string[]): string {
  if (code.includes(`'${module}'`)) return '';
  const names = exported.filter(name => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return names.length > 0 ? `import { ${names.join(', ')} } from '${module}'; ` : '';
}
