// How the samples of SvelteKit run, in version 2 unchanged, and in version 3 with the changes that the guide names.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askingByForm, compiler, makeSamples, type Start, serve, thanks, unchanged } from './project.ts';

const samples = [
  'src/lib/server/email-marketing.ts',
  'src/routes/sign-up/+page.server.ts',
  'src/routes/sign-up/+page.svelte',
];

/** The changes for version 3. */
const changes = [
  ["import { env } from '$env/dynamic/private'", "import * as env from '$app/env/private'"],
  ['$lib/server/email-marketing', '#lib/server/email-marketing.ts'],
  ['$lib/sign-up', '#lib/sign-up.ts'],
] as const;

const viteConfig = `import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit({ adapter: adapter() })] };
`;

const svelteKit =
  (version: 2 | 3, dependencies: Readonly<Record<string, string>>): Start =>
  async account => {
    const all = { svelte: '5.57.3', vite: '8.3.8', ...compiler, typescript: '6.0.2', ...dependencies };
    const paths = version === 2 ? samples : ['src/env.ts', ...samples];
    const from = { 'lib/sign-up.ts': 'src/lib/sign-up.ts', ...unchanged(...paths) };
    const tsconfig =
      version === 2
        ? { extends: './.svelte-kit/tsconfig.json' }
        : { extends: '$app/tsconfig', include: ['src'] };
    const project = makeSamples(`sveltekit-${version}`, all, from, {
      'package.json': JSON.stringify({
        private: true,
        type: 'module',
        imports: { '#lib': './src/lib/index.js', '#lib/*': './src/lib/*' },
      }),
      'tsconfig.json': JSON.stringify(tsconfig),
      'vite.config.js': viteConfig,
      'src/app.html':
        '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<p>Home</p>',
    });
    if (version === 3) for (const path of samples) change(join(project.folder, path));
    project.run('vite/bin/vite.js', 'build');
    project.run('typescript/bin/tsc', '--noEmit');
    const running = await serve(project, account, 'build/index.js');
    // SvelteKit compares the origin of a form with its own, which it takes for one with TLS.
    const ask = askingByForm(running.origin, running.origin.replace('http:', 'https:'));
    return { ...running, ask, further: () => thanks(ask) };
  };

function change(file: string): void {
  let code = readFileSync(file, 'utf8');
  for (const [from, to] of changes) code = code.replace(from, to);
  writeFileSync(file, code);
}

export const svelteKit2 = svelteKit(2, {
  '@sveltejs/kit': '2.70.4',
  '@sveltejs/adapter-node': '5.5.7',
  '@sveltejs/vite-plugin-svelte': '7.3.1',
});

export const svelteKit3 = svelteKit(3, {
  '@sveltejs/kit': '3.2.0',
  '@sveltejs/adapter-node': '6.0.1',
  '@sveltejs/vite-plugin-svelte': '7.3.1',
});
