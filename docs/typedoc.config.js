// @ts-check
import { dirname } from 'node:path';
import { operationNames } from '../src/resources/operations.ts';

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
  hideBreadcrumbs: false,
  hidePageHeader: true,
  // What derives types from the table of operations and from what a program declares.
  intentionallyNotExported: [
    'operations',
    'specified',
    'Saved',
    'Id',
    'Validated',
    'TrackFields',
    'Declared',
    'NamedValues',
    'ValueOf',
    'NamedEvent',
    'RequiredData',
    'TimedEvent',
    'errorKinds',
    'BulkItem',
    'OperationName',
  ],
  treatWarningsAsErrors: true,
  // What is derived counts to the package of the folder in which TypeDoc runs.
  packagesRequiringDocumentation: ['email-marketing-client', 'docs'],
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
    'Errors.AnyEmailMarketingError.__type.name',
    'Legacy and events.TrackParams.__type.addTags',
    'Legacy and events.TrackParams.__type.removeTags',
    'Handler options.ProxyCall.__type.operation',
    'Handler options.Decision.__type.input',
    'Errors.ApiError.response.__type.status',
    'Errors.ApiError.response.__type.headers',
    'Errors.ApiErrorDetails.response.__type.status',
    'Errors.ApiErrorDetails.response.__type.headers',
    'Calls.SafeResult.__type.ok',
    'Calls.SafeResult.__type.data',
    'Calls.SafeResult.__type.error',
    'Calls.SafeResult.__type.response',
    'Pagination and bulk operations.BulkResult.__type.ok',
    'Pagination and bulk operations.BulkResult.__type.data',
    'Pagination and bulk operations.BulkResult.__type.error',
    'Calls.StandardSchema.~standard.__type.version',
    'Calls.StandardSchema.~standard.__type.vendor',
    'Calls.StandardSchema.~standard.__type.validate',
    'Sandbox state.Collection.T.__type.id',
    'email-marketing-client/proxy.NodeResponse.stream.__type.close',
    // Derived from the methods, which are documented.
    ...operationNames.flatMap(name => [`Calls.OperationInputs.${name}`, `Calls.OperationResults.${name}`]),
  ],
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
};

export default options;
