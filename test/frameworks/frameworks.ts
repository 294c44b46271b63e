// How each framework of docs/frameworks.md builds and runs its samples.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBrowserClient } from '../../src/browser/index.ts';
import { root } from '../runtimes/install.ts';
import { startBundled } from '../runtimes/runtimes.ts';
import { express } from './express.ts';
import {
  type Ask,
  asking,
  askingByForm,
  bundle,
  checkTypes,
  compiler,
  lib,
  makeSamples,
  type Start,
  serve,
  signUpFiles,
  thanks,
  unchanged,
} from './project.ts';
import { svelteKit2, svelteKit3 } from './sveltekit.ts';

const libInSrc = {
  'lib/email-marketing.ts': 'src/lib/email-marketing.ts',
  'lib/sign-up.ts': 'src/lib/sign-up.ts',
};
const example = (path: string) => readFileSync(`${root}examples/${path}`, 'utf8');
const json = (value: unknown) => JSON.stringify(value);

/** Files that each project of Next.js has. */
const nextFiles = {
  'tsconfig.json': json({
    compilerOptions: {
      strict: true,
      jsx: 'preserve',
      module: 'esnext',
      moduleResolution: 'bundler',
      esModuleInterop: true,
      lib: ['dom', 'dom.iterable', 'esnext'],
      skipLibCheck: true,
      paths: { '@/*': ['./*'] },
    },
    include: ['app', 'lib'],
  }),
  'app/layout.tsx':
    'export default function Layout({ children }: { children: React.ReactNode }) { return <html><body>{children}</body></html>; }',
  'app/api/email-marketing/route.ts': example('proxy/nextjs-route.ts').replace(
    './authorize.ts',
    './authorize',
  ),
  'app/api/email-marketing/authorize.ts': example('proxy/authorize.ts'),
};

const nextDependencies = {
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  typescript: '5.9.3',
  '@types/react': '19.2.2',
  '@types/node': '22.20.5',
};

/** A page rendered after a server action always has status 200, so its message says what happened. */
function statusOfMessage(page: string): number {
  if (page.includes('Thank you.')) return 200;
  return page.includes('Please check the address.') ? 400 : 502;
}

/** Next.js, with `cacheComponents` or without. */
const next =
  (cacheComponents: boolean): Start =>
  async account => {
    const app = unchanged('app/sign-up/page.tsx', 'app/sign-up/actions.ts', 'app/contacts/page.tsx');
    const config = `export default ${json({ cacheComponents })};`;
    const files = { 'next.config.mjs': config, ...nextFiles };
    const project = makeSamples(`next-${cacheComponents}`, nextDependencies, { ...lib, ...app }, files);
    project.run('next/dist/bin/next', 'build');
    const command = ['node_modules/next/dist/bin/next', 'start', '--port', 'PORT'];
    const running = await serve(project, account, ...command);
    const submit = askingByForm(running.origin);
    const ask: Ask = async (path, fields) => {
      const [, page] = await submit(path, fields);
      return [statusOfMessage(page), page];
    };
    const further = async () => {
      await thanks(submit);
      const [status, page] = await running.ask('/contacts');
      assert.equal(status, 200);
      assert.match(page, /grace@example\.com/, 'the server component shows the contacts');
      assert.equal((await running.ask('/api/email-marketing', {}))[0], 400, 'the handler runs');
    };
    return { ...running, ask, further };
  };

const nest: Start = async account => {
  const project = makeSamples(
    'nest',
    {
      '@nestjs/common': '12.5.1',
      '@nestjs/core': '12.5.1',
      '@nestjs/platform-express': '12.5.1',
      'reflect-metadata': '0.2.2',
      rxjs: '7.8.2',
      typescript: '5.9.3',
      '@types/node': '22.20.5',
    },
    { ...libInSrc, 'sign-up.module.ts': 'src/sign-up.module.ts' },
    {
      'tsconfig.json': json({
        compilerOptions: {
          strict: true,
          target: 'es2022',
          module: 'nodenext',
          moduleResolution: 'nodenext',
          isolatedModules: true,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          skipLibCheck: true,
          outDir: 'out',
        },
        include: ['src'],
      }),
      'src/main.ts':
        "import 'reflect-metadata';\nimport { NestFactory } from '@nestjs/core';\nimport { SignUpModule } from './sign-up.module';\nvoid NestFactory.create(SignUpModule, { logger: false }).then(app => app.listen(Number(process.env.PORT), '127.0.0.1'));\n",
    },
  );
  project.run('typescript/bin/tsc');
  return serve(project, account, 'out/main.js');
};

const astro: Start = async account => {
  const project = makeSamples(
    'astro',
    { astro: '7.3.5', '@astrojs/node': '11.1.6' },
    {
      'lib/sign-up.ts': 'src/lib/sign-up.ts',
      ...unchanged('src/lib/email-marketing.ts', 'src/pages/sign-up.astro'),
    },
    {
      'package.json': json({ private: true, type: 'module' }),
      'astro.config.mjs':
        "import node from '@astrojs/node';\nexport default { adapter: node({ mode: 'standalone' }), telemetry: false };\n",
      'tsconfig.json': json({ extends: 'astro/tsconfigs/strict' }),
    },
  );
  project.run('astro/bin/astro.mjs', 'build');
  const running = await serve(project, account, 'dist/server/entry.mjs');
  const ask = askingByForm(running.origin);
  return { ...running, ask, further: () => thanks(ask) };
};

/** A server that esbuild bundles. */
const bundled =
  (sample: string, dependencies: Readonly<Record<string, string>>, main: string): Start =>
  async account => {
    const name = sample.replace('.ts', '');
    const all = { ...compiler, ...dependencies };
    const project = makeSamples(name, all, { ...lib, [sample]: sample }, { 'main.ts': main });
    checkTypes(project);
    await bundle(project, 'main.ts', 'cjs', ['node']);
    return serve(project, account, 'out.cjs');
  };

/** Lambda runs either kind of module. */
const lambda =
  (format: 'esm' | 'cjs'): Start =>
  async account => {
    const project = makeSamples(`lambda-${format}`, compiler, { ...lib, 'index.ts': 'index.ts' }, {});
    checkTypes(project);
    const program = await bundle(project, 'index.ts', format, ['node']);
    Object.assign(process.env, account);
    const { handler } = await import(`${pathToFileURL(program)}?${account.EMAIL_MARKETING_BASE_URL}`);
    return {
      ask: async (_, body) => [(await handler({ body: json(body) })).statusCode, ''],
      async close() {
        for (const name of Object.keys(account)) delete process.env[name];
      },
    };
  };

/** A worker that runs in workerd: a module's default export, or what `fetch` it has. */
const worker =
  (sample: string, dependencies: Readonly<Record<string, string>>, flags: readonly string[]): Start =>
  async account => {
    const all = { ...compiler, ...dependencies };
    const project = makeSamples(sample.replace('.ts', ''), all, { ...lib, [sample]: sample }, {});
    checkTypes(project);
    const script = await bundle(project, sample, 'esm', ['workerd', 'worker', 'browser']);
    const running = startBundled(readFileSync(script, 'utf8'), {
      compatibilityDate: '2025-09-01',
      compatibilityFlags: flags,
      bindings: account,
    });
    return {
      ask: asking((url, init) => running.dispatchFetch(url, init), 'http://worker.test'),
      close: () => running.dispose(),
    };
  };

/** The router of the sample for Angular, in an app of Express, as Angular's `server.ts` has one. */
const angular: Start = async account => {
  const dependencies = { ...compiler, express: '5.3.0', '@types/express': '5.0.6' };
  const from = { ...libInSrc, 'src/routes.ts': 'src/routes.ts' };
  const project = makeSamples('angular-router', dependencies, from, {
    'main.ts':
      "import express from 'express';\nimport { routes } from './src/routes';\nexpress().use(routes).listen(Number(process.env.PORT), '127.0.0.1');\n",
  });
  const options = ['--noEmit', '--strict', '--module', 'preserve', '--skipLibCheck', '--types', 'node'];
  project.run('typescript/bin/tsc', ...options, 'src/routes.ts');
  await bundle(project, 'main.ts', 'cjs', ['node']);
  return serve(project, account, 'out.cjs');
};

/** A server with a body parser before the handler, called by the browser client. */
const behindParser =
  (sample: string, dependencies: Readonly<Record<string, string>>, main: string): Start =>
  async account => {
    const handler = `
      import { createProxyHandler } from 'email-marketing-client/proxy';
      import { emailMarketing } from './lib/email-marketing.ts';
      const options = { allow: ['legacy.identify'], authorize: 'public' } as const;
      export const handler = createProxyHandler(emailMarketing(), options);`;
    const from = { 'lib/email-marketing.ts': 'lib/email-marketing.ts', ...signUpFiles, [sample]: sample };
    const all = { ...compiler, ...dependencies };
    const project = makeSamples(sample.replace('.ts', ''), all, from, {
      'package.json': JSON.stringify({ private: true, type: 'module' }),
      'handler.ts': handler,
      'main.ts': main,
    });
    checkTypes(project);
    await bundle(project, 'main.ts', 'cjs', ['node']);
    const running = await serve(project, account, 'out.cjs');
    const client = createBrowserClient({ url: `${running.origin}/api/email-marketing` });
    const { signUp } = await import(pathToFileURL(join(project.folder, 'lib/sign-up.ts')).href);
    return { ...running, ask: async (_, body) => [await signUp(client, body), ''] };
  };

/** Every framework by its name. */
export const frameworks: Readonly<Record<string, Start>> = {
  'Next.js': next(false),
  'Next.js with cacheComponents': next(true),
  NestJS: nest,
  'SvelteKit 2': svelteKit2,
  'SvelteKit 3': svelteKit3,
  Astro: astro,
  Angular: angular,
  tRPC: bundled(
    'router.ts',
    { '@trpc/server': '11.25.2' },
    "import { createHTTPServer } from '@trpc/server/adapters/standalone';\nimport { appRouter } from './router.ts';\ncreateHTTPServer({ router: appRouter }).listen(Number(process.env.PORT), '127.0.0.1');\n",
  ),
  'AWS Lambda, ES modules': lambda('esm'),
  'AWS Lambda, CommonJS': lambda('cjs'),
  'Cloudflare Workers': worker('worker.ts', {}, []),
  Express: express,
  Hono: worker('hono-app.ts', { hono: '4.13.19' }, ['nodejs_compat']),
  Fastify: behindParser(
    'fastify.ts',
    { fastify: '5.12.8' },
    "import { app } from './fastify.ts';\nvoid app.listen({ port: Number(process.env.PORT) });\n",
  ),
  Koa: behindParser(
    'koa.ts',
    { koa: '3.3.0', '@koa/bodyparser': '6.1.0', '@types/koa': '3.0.3' },
    "import { app } from './koa.ts';\napp.listen(Number(process.env.PORT), '127.0.0.1');\n",
  ),
};
