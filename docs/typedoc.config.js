// @ts-check
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Converter } from 'typedoc';

const folder = import.meta.dirname;
const root = dirname(folder);

/** The guides in the order of reading; any other document comes after them. */
const guides = [
  'getting-started.md',
  'interfaces.md',
  'tasks.md',
  'limits-of-the-api.md',
  'migrating-from-fetch.md',
  'pagination.md',
  'bulk.md',
  'errors.md',
  'timeouts.md',
  'rate-limits.md',
  'any-endpoint.md',
  'configuration.md',
  'browser.md',
  'proxy.md',
  'commands.md',
  'frameworks.md',
  'logging.md',
  'secrets.md',
  'SECURITY.md',
  'scaling.md',
  'runtimes.md',
  'benchmarks.md',
  'benchmarks-node-22.md',
  'testing.md',
  'sandbox.md',
  'messages.md',
  'api-ambiguities.md',
  'release-policy.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
];
const documents = globSync('*.md', { cwd: folder }).sort();

/** Members of `OperationInputs`, each named after the operation that it is the input of. */
const inputs = [...readFileSync(`${root}/src/proxy/calls.ts`, 'utf8').matchAll(/readonly '([\w.]+)':/g)];

/** Gives each guide the title that its first heading says, so that the files need no front matter. */
function nameDocuments(/** @type {import('typedoc').Application} */ app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [, title] = /^# (.+)\n/.exec(document.content[0]?.text ?? '') ?? [];
    if (title) document.name = title;
  });
}

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const options = {
  name: 'email-marketing-client',
  tsconfig: `${folder}/tsconfig.json`,
  entryPoints: ['index', 'testing/index', 'testing/msw', 'browser/index', 'proxy/index'].map(
    entry => `${root}/src/${entry}.ts`,
  ),
  out: `${folder}/site`,
  readme: `${root}/README.md`,
  projectDocuments: [
    ...guides.filter(guide => documents.includes(guide)),
    ...documents.filter(document => !guides.includes(document)),
  ].map(document => `${folder}/${document}`),
  plugin: [nameDocuments],
  customCss: `${folder}/typedoc.css`,
  navigation: { includeFolders: false },
  treatWarningsAsErrors: true,
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
  },
  // Members of types written in place, where a comment has no room; the type itself tells of them.
  intentionallyNotDocumented: [
    'email-marketing-client/proxy.ProxyCall.__type.operation',
    'email-marketing-client/proxy.Decision.__type.input',
    ...inputs.map(([, name]) => `email-marketing-client/proxy.OperationInputs.${name}`),
    'email-marketing-client.SafeResult.__type.ok',
    'email-marketing-client.Id.__type.[resource]',
    'email-marketing-client.BulkResult.__type.ok',
    'email-marketing-client.BulkResult.__type.index',
    'email-marketing-client.BulkResult.__type.input',
    'email-marketing-client.BulkResult.__type.value',
    'email-marketing-client.BulkResult.__type.error',
    'email-marketing-client.Paginator.T.__type.id',
    'email-marketing-client/testing.Collection.T.__type.id',
    'email-marketing-client/testing.FaultOrder.__type.kind',
  ],
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  includeVersion: true,
  hideGenerator: true,
  searchInComments: true,
  searchInDocuments: true,
};

export default options;
