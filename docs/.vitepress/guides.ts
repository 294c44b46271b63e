/** One guide of the site. */
interface Guide {
  /** Its file in `docs`. */
  readonly file: string;
  /** Its title in the sidebar. */
  readonly title: string;
}

/** A heading of the sidebar, with the guides below it. */
interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

const guide = (file: string, title: string): Guide => ({ file, title });

/** Every guide in the order of reading. The sidebar of the site leaves out files that do not exist. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide('getting-started.md', 'Getting started'),
      guide('interfaces.md', 'Which interface to use'),
      guide('tasks.md', 'Common tasks'),
      guide('limits-of-the-api.md', 'What the API cannot do'),
      guide('migrating-from-fetch.md', 'Migrating from fetch'),
    ],
  },
  {
    title: 'Guides',
    guides: [
      guide('pagination.md', 'Pagination'),
      guide('bulk.md', 'Bulk operations'),
      guide('errors.md', 'Errors'),
      guide('timeouts.md', 'Timeouts and cancellation'),
      guide('rate-limits.md', 'Rate limits'),
      guide('any-endpoint.md', 'Calling any endpoint'),
      guide('configuration.md', 'Configuration'),
      guide('browser.md', 'Browser'),
      guide('proxy.md', 'Proxy'),
      guide('commands.md', 'Import, export and check'),
      guide('frameworks.md', 'Frameworks'),
    ],
  },
  {
    title: 'Production',
    guides: [
      guide('logging.md', 'Logging and tracing'),
      guide('secrets.md', 'Secrets'),
      guide('SECURITY.md', 'Security'),
      guide('scaling.md', 'Scaling'),
      guide('runtimes.md', 'Runtimes'),
      guide('benchmarks.md', 'Benchmarks'),
    ],
  },
  {
    title: 'Testing',
    guides: [guide('testing.md', 'Testing'), guide('sandbox.md', 'Sandbox')],
  },
  {
    title: 'Reference',
    guides: [
      guide('messages.md', 'Error messages'),
      guide('api-ambiguities.md', 'API ambiguities'),
      guide('release-policy.md', 'Release policy'),
      guide('CONTRIBUTING.md', 'Contributing'),
      guide('ARCHITECTURE.md', 'Architecture'),
      guide('AGENTS.md', 'For coding assistants'),
    ],
  },
];
