const main = 'email-marketing-client';
const proxy = `${main}/proxy`;
const testing = `${main}/testing`;

/**
 * Pages in their order: title, the module whose exports it describes, the files in `src` that declare these, and a
 * description. What no line names stays on the page of its module.
 */
export const referencePages = [
  ['Contacts', main, /^(resources|operations)\/contacts/, 'List and find contacts.'],
  ['Legacy and events', main, /^(resources|operations)\/(legacy|events)/, 'Create, update and tag contacts.'],
  ['Lists and tags', main, /^(resources|operations)\/(lists|tags)/, 'Create, list and delete.'],
  [
    'Sending',
    main,
    /^(resources|operations)\/(domains|senders|templates|campaigns)/,
    'Domains, senders, templates and campaigns.',
  ],
  ['Blog posts', main, /^(resources|operations)\/post-/, 'Tags and categories of blog posts.'],
  ['Pagination and bulk operations', main, /^(pagination\/|bulk)/, 'Iterate over records; make many calls.'],
  [
    'Options',
    main,
    /^client\/(options|credentials)|^http\/(call-options|fetch)/,
    'Options of the client and of a call.',
  ],
  [
    'Calls',
    main,
    /^(http|service)\/|^client\/endpoint-request/,
    'What a call returns, hooks, and requests to any endpoint.',
  ],
  ['Errors', main, /^errors/, 'What a call rejects with.'],
  ['Helpers', main, /^(?!client\/client\.ts|version\.ts)/, 'Functions and types for single values.'],
  ['Handler options', proxy, /^web\/handler\/options/, 'Options of the handler.'],
  [
    'Sandbox options',
    testing,
    /^testing\/(options|service\/ambiguities|server\/)/,
    'Options of the sandbox and its server.',
  ],
  [
    'Sandbox state',
    testing,
    /^testing\/service\/(collection|state|seed)/,
    'What the sandbox stores and starts with.',
  ],
  ['Sandbox records', testing, /^testing\/service\/records/, 'The records of the sandbox.'],
  ['Sandbox faults', testing, /^testing\/faults\//, 'Failures to switch on.'],
  [
    'Sandbox requests',
    testing,
    /^testing\/(request-log|service\/(added-endpoint|router|error-response))/,
    'The request log, and endpoints of your own.',
  ],
] as const;
