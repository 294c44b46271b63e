import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Blocks of a package's module that are left out, each from the line that begins with one of `starts` to its closing brace. */
export interface LeftOut {
  /** The file, within the package's folder. */
  readonly module: string;
  /** Where to look from: the first line that begins so. */
  readonly from?: string;
  readonly starts: readonly string[];
  /** What stands in place of a block's braces and all between them; the block goes as a whole by default. */
  readonly body?: string;
}

/** What a build leaves out of a package. */
export interface Lean {
  readonly name: string;
  /** The folder of the package that its modules are in. */
  readonly folder: string;
  /** Text in place of whole modules. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly blocks: readonly LeftOut[];
}

const closes: readonly string[] = ['}', '};', '},', '});'];

/** Fails where the package has no such block, as after a change of its version. */
function leaveOut(source: string, { module, from = '', body }: LeftOut, start: string): string {
  const lines = source.split('\n');
  const anchor = lines.findIndex(line => line.startsWith(from));
  const first = lines.findIndex((line, index) => index >= anchor && line.trimStart().startsWith(start));
  const head = lines[first];
  const missing = `${module} has no block ${from} ${start}`;
  if (anchor < 0 || head === undefined) throw new Error(missing);
  const indent = head.slice(0, head.length - head.trimStart().length);
  const last = lines.findIndex(
    (line, index) => index > first && closes.some(close => line === indent + close),
  );
  if (last < 0) throw new Error(missing);
  lines.splice(first, last - first + 1, ...(body === undefined ? [] : [head.replace(/\{$/, body)]));
  return lines.join('\n');
}

const edited = (source: string, blocks: readonly LeftOut[]): string =>
  blocks
    .flatMap(block => block.starts.map(start => ({ block, start })))
    .reduce((text, { block, start }) => leaveOut(text, block, start), source);

/** Leaves out of the build what no call of this library reaches in a package. The tests of the build run on the result. */
export const lean = ({ name, folder, modules = {}, blocks }: Lean): Plugin => ({
  name: `lean-${name}`,
  setup(build) {
    const inFolder = new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]${folder}[\\\\/](.*)$`);
    build.onLoad({ filter: inFolder }, ({ path }) => {
      const part = inFolder.exec(path)?.[1]?.replaceAll('\\', '/') ?? '';
      const concerned = blocks.filter(({ module }) => module === part);
      const whole = modules[part];
      if (whole === undefined && concerned.length === 0) return undefined;
      return { contents: whole ?? edited(readFileSync(path, 'utf8'), concerned), loader: 'js' };
    });
  },
});
