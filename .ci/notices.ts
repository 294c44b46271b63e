import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Folders of the packages that the builds of this process have compiled in. */
const folders = new Set<string>();

/** Writes the licenses of the packages that are compiled in, after each build. */
export const writeNotices: Plugin = {
  name: 'write-notices',
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {}))
        for (const source of Object.keys(inputs)) {
          // The last part of the path names a package within the folder of another.
          const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source) ?? [];
          if (folder) folders.add(folder);
        }
      const notices = [...folders].sort().map(noticeOf);
      const text = ['These packages are compiled into this one.\n', ...notices];
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/THIRD_PARTY_LICENSES.txt', text.join(`\n${'-'.repeat(72)}\n\n`));
    });
  },
};

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync(join(folder, '[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*'));
  if (!file) throw new Error(`${name} is compiled in, but has no license file.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}
