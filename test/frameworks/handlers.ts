// Programs that call the client's methods through a handler: an app in React Native, and handlers behind a body parser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBrowserClient } from '../../src/browser/index.ts';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { listen } from '../support/listen.ts';
import { runOnPhone } from './phone.ts';
import {
  type Account,
  bundle,
  checkTypes,
  compiler,
  makeSamples,
  type Start,
  serve,
  signUpFiles,
} from './project.ts';

/** Starts a handler for the app. A call to `/silent` gets no response. */
async function startHandler({
  EMAIL_MARKETING_BASE_URL: baseUrl = '',
  EMAIL_MARKETING_API_KEY: apiKey = '',
  EMAIL_MARKETING_TEAM_ID: teamId = '',
}: Account) {
  const client = new EmailMarketingClient({ baseUrl, apiKey, teamId, maxRetries: 0 });
  const allow = ['legacy.identify', 'contacts.list'] as const;
  const listener = toNodeListener(createProxyHandler(client, { allow, authorize: 'public' }));
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/silent') void listener(incoming, outgoing);
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin, close };
}

/** An app that imports the sample first. Its functions return what can leave the engine. */
const app = `
import './app-polyfills';
import { createBrowserClient } from 'email-marketing-client/browser';
import { signUp } from './lib/sign-up';

const client = createBrowserClient({ url: globalThis.origin + '/api' });
const silent = createBrowserClient({ url: globalThis.origin + '/silent', maxRetries: 0 });

globalThis.signUp = body => signUp(client, JSON.parse(body));
globalThis.emails = () => client.contacts.all({}, { pageSize: 1 }).toArray().then(all => all.map(({ email }) => email).join());
globalThis.errorOfTimeout = () => silent.contacts.list({}, { timeout: 50 }).catch(error => error.name);
globalThis.reasonOfAbort = reason => {
  const controller = new AbortController();
  const call = silent.contacts.list({}, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 50);
  return call.catch(error => error);
};
`;

/** Folder of each system's binary in `hermes-compiler`, which React Native depends on. */
const compilers: Readonly<Record<string, string>> = {
  linux: 'linux64-bin',
  darwin: 'osx-bin',
  win32: 'win64-bin',
};

/** Compiles the bundle to bytecode, as a build for a phone does. */
const compileByHermes = (folder: string) =>
  execFileSync(
    join(folder, 'node_modules/hermes-compiler/hermesc', compilers[process.platform] ?? '', 'hermesc'),
    ['-emit-binary', '-O', '-w', '-out', join(folder, 'app.hbc'), join(folder, 'app.js')],
  );

/** A version of React Native. Metro makes the bundle, Hermes' compiler accepts it, and V8 runs it. */
export const reactNative =
  (version: string): Start =>
  async account => {
    const dependencies = {
      react: '19.3.1',
      'react-native': version,
      '@react-native/metro-config': version,
      '@react-native/babel-preset': version,
      'react-native-get-random-values': '2.0.0',
      'react-native-url-polyfill': '4.0.0',
    };
    const files = { ...signUpFiles, 'app-polyfills.js': 'app-polyfills.js' };
    const project = makeSamples(`react-native-${version}`, dependencies, files, {
      'index.js': app,
      'metro.config.js':
        "module.exports = require('@react-native/metro-config').getDefaultConfig(__dirname);\n",
      'babel.config.js': "module.exports = { presets: ['module:@react-native/babel-preset'] };\n",
    });
    const release = ['--platform', 'ios', '--dev', 'false', '--out', 'app.js'];
    project.run('metro/src/cli.js', 'build', 'index.js', ...release);
    compileByHermes(project.folder);
    const handler = await startHandler(account);
    const context = runOnPhone(join(project.folder, 'app.js'), { origin: handler.origin });
    const call = async (name: string, argument?: unknown) =>
      (context[name] as (argument?: unknown) => Promise<never>)(argument);
    const further = async () => {
      assert.equal(await call('emails'), 'grace@example.com,ada@example.com');
      assert.equal(await call('errorOfTimeout'), 'TimeoutError');
      const reason = new Error('the screen was closed');
      assert.equal(await call('reasonOfAbort', reason), reason);
    };
    return {
      ask: async (_, body) => [await call('signUp', JSON.stringify(body)), ''],
      close: handler.close,
      further,
    };
  };

/** A server with a body parser before the handler, called by the browser client. */
export const behindParser =
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
