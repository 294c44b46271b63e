import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { decode, encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec';
import { transformSync } from 'esbuild';

interface SourceMap {
  readonly mappings: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/**
 * Keeps the package under a megabyte. Maps hold this library's own sources, not those of what is compiled in, and lead
 * to their lines, not columns. The CommonJS build, which says the same as the other, goes without maps, and so do the
 * sandbox and the command, which go without white space as well: nobody bundles them.
 */
export function slimMaps(): void {
  for (const file of readdirSync('dist').filter(name => /\.c?js$/.test(name))) {
    const map = `dist/${file}.map`;
    const wanted = file.endsWith('.js') && file !== 'cli.js' && slim(map);
    if (!wanted) {
      rmSync(map, { force: true });
      const code = readFileSync(`dist/${file}`, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/g, '');
      writeFileSync(`dist/${file}`, transformSync(code, { minifyWhitespace: true }).code);
    }
  }
}

/** Writes the map anew with what is wanted of it; whether anything is. */
function slim(file: string): boolean {
  const map: SourceMap = JSON.parse(readFileSync(file, 'utf8'));
  const own = map.sources.map(source => /^\.\.\/src\/(?!testing\/|cli\.)/.test(source));
  if (!own.includes(true)) return false;
  const mappings = encode(byLine(decode(map.mappings), own));
  const sourcesContent = map.sourcesContent.map((text, index) => (own[index] ? text : null));
  writeFileSync(file, JSON.stringify({ ...map, mappings, sourcesContent, names: [] }));
  return true;
}

/** The first segment of each line of our own sources, and where others begin. */
function byLine(mappings: SourceMapMappings, own: readonly boolean[]): SourceMapMappings {
  return mappings.map(segments => {
    let last = '';
    return segments.flatMap(([column, source = -1, line = 0, sourceColumn = 0]) => {
      const ours = own[source] === true;
      const place = ours ? `${source}:${line}` : '';
      if (place === last) return [];
      last = place;
      return ours ? [[column, source, line, sourceColumn]] : [[column]];
    });
  });
}
