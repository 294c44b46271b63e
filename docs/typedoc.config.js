// @ts-check
import { dirname } from 'node:path';
import { categories } from './typedoc-plugin.js';

const folder = import.meta.dirname;
const root = dirname(folder);

/** @type {Partial<import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions & { docsRoot: string }>} */
const options = {
  name: 'Reference',
  tsconfig: `${folder}/tsconfig.json`,
  entryPoints: ['index', 'testing/index', 'testing/msw', 'browser/index', 'proxy/index', 'opentelemetry'].map(
    entry => `${root}/src/${entry}.ts`,
  ),
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', './typedoc-plugin.js'],
  docsRoot: folder,
  out: `${folder}/reference`,
  readme: 'none',
  router: 'module',
  entryFileName: 'index',
  useCodeBlocks: true,
  expandParameters: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  classPropertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideInherited: true },
  categorizeByGroup: false,
  categoryOrder: categories.map(([name]) => name),
  hideBreadcrumbs: false,
  hidePageHeader: true,
  // What derives the types of the table of operations.
  intentionallyNotExported: [
    'Method',
    'specified',
    'requestOperation',
    'ServiceResources',
    'Methods',
    'Id',
    'Validated',
    'Source',
    'Call',
  ],
  treatWarningsAsErrors: true,
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
  },
  // Members of types written in place, where a comment has no room.
  intentionallyNotDocumented: [
    'email-marketing-client/proxy.ProxyCall.__type.operation',
    'email-marketing-client/proxy.Decision.__type.input',
    'email-marketing-client/proxy.Decision.__type.visitor',
    'email-marketing-client.SafeResult.__type.ok',
    'email-marketing-client.BulkResult.__type.ok',
    'email-marketing-client.BulkResult.__type.index',
    'email-marketing-client.BulkResult.__type.input',
    'email-marketing-client.BulkResult.__type.data',
    'email-marketing-client.BulkResult.__type.error',
    'email-marketing-client.Paginator.T.__type.id',
    'email-marketing-client.StandardSchema.~standard.__type.version',
    'email-marketing-client.StandardSchema.~standard.__type.vendor',
    'email-marketing-client.StandardSchema.~standard.__type.validate',
    'email-marketing-client/testing.Collection.T.__type.id',
  ],
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
};

export default options;
