const main = 'email-marketing-client';
const proxy = `${main}/proxy`;
const testing = `${main}/testing`;

/**
 * Pages in their order: title, the module whose exports it describes, the files in `src` that declare these, and a
 * description. What no line names stays on the page of its module.
 */
export const referencePages = [
  ['Contacts', main, /^resources\/contacts/, 'List and find contacts.'],
  ['Legacy and events', main, /^resources\/(legacy|events)/, 'Create, update and tag contacts.'],
  ['Lists and tags', main, /^resources\/(lists|tags)/, 'Create, list and delete.'],
  [
    'Sending',
    main,
    /^resources\/(domains|senders|templates|campaigns)/,
    'Domains, senders, templates and campaigns.',
  ],
  ['Blog posts', main, /^resources\/post-/, 'Tags and categories of blog posts.'],
  ['Pagination and bulk operations', main, /^(pagination\/|bulk)/, 'Iterate over records; make many calls.'],
  [
    'Options',
    main,
    /^client\/(client-options|credentials)|^call\/call-options|^transport\/fetch/,
    'Options of the client and of a call.',
  ],
  [
    'Calls',
    main,
    /^call\/|^client\/(endpoint|endpoint-request|standard-schema)\.|^resources\/operation/,
    'What a call returns, hooks, and requests to any endpoint.',
  ],
  ['Errors', main, /^error/, 'What a call rejects with.'],
  ['Helpers', main, /^(?!client\/client\.ts)/, 'Functions and types for single values.'],
  ['Handler options', proxy, /^proxy\/handler-options/, 'Options of the handler.'],
  [
    'Sandbox options',
    testing,
    /^testing\/(sandbox-options|service\/ambiguities|server\/)/,
    'Options of the sandbox and its server.',
  ],
  [
    'Sandbox state',
    testing,
    /^testing\/service\/(collection|state|seed)/,
    'What the sandbox stores and starts with.',
  ],
  ['Sandbox records', testing, /^testing\/service\/record-kinds/, 'The records of the sandbox.'],
  ['Sandbox faults', testing, /^testing\/faults\//, 'Failures to switch on.'],
  [
    'Sandbox requests',
    testing,
    /^testing\/(request-log|service\/(added-endpoint|router|error-response))/,
    'The request log, and your own endpoints.',
  ],
] as const;
