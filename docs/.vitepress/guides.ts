/** One guide of the site. */
interface Guide {
  /** Its file in `docs`. */
  readonly file: string;
  /** Its title in the sidebar. */
  readonly title: string;
  /** Words that readers search for and the guide does not say, or says once in passing. */
  readonly synonyms: string;
}

/** A heading of the sidebar, with the guides below it. */
interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

const guide = (file: string, title: string, synonyms: string): Guide => ({ file, title, synonyms });

/** Every guide in the order of reading. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide(
        'getting-started.md',
        'Getting started',
        'install quickstart tutorial axios migrate esm cjs tsconfig',
      ),
      guide(
        'api.md',
        'What the API can do',
        'endpoints operations webhook sort contacts filter segment double opt-in send email',
      ),
      guide(
        'tasks.md',
        'Common tasks',
        'recipes cookbook cron schedule signup subscribe opt-out erasure counter points sqlite postgres database copy sync gdpr cache caching',
      ),
    ],
  },
  {
    title: 'Guides',
    guides: [
      guide(
        'pagination.md',
        'Pagination',
        'cursor progress next page iterate loop all records export resume offset limit',
      ),
      guide(
        'bulk.md',
        'Bulk operations',
        'batch parallel concurrency progress many calls mass update queue worker kill',
      ),
      guide(
        'errors.md',
        'Errors',
        'exception catch failure invalid api key unauthorized forbidden duplicates duplicate idempotency retry backoff 400 401 403 404 409 422 429 500 502 503 504 idempotent enotfound econnrefused econnreset dns',
      ),
      guide('timeouts.md', 'Timeouts and cancellation', 'deadline abort signal cancel hang slow'),
      guide(
        'rate-limits.md',
        'Rate limits',
        'throttle throttling quota 429 too many requests backoff concurrency limiter redis',
      ),
      guide(
        'any-endpoint.md',
        'Calling any endpoint',
        'custom request raw undocumented zod valibot schema get post put patch',
      ),
      guide(
        'configuration.md',
        'Configuration',
        'options settings env dotenv environment access token api key base url self-signed certificate corporate proxy',
      ),
      guide(
        'browser.md',
        'Browsers',
        'proxy frontend react vue angular svelte cors csrf cookie bundle handler captcha',
      ),
      guide(
        'commands.md',
        'Import, export and check',
        'cli csv excel xlsx spreadsheet semicolon delimiter separator encoding utf-8 utf8 bom latin-1 mailchimp hubspot brevo dry run kill resume upload download backup utf16 utf-16 google contacts outlook',
      ),
      guide(
        'frameworks.md',
        'Frameworks',
        'nextjs next vercel nest lambda aws serverless cloudflare workers edge express hono fastify sveltekit svelte astro koa docker compose container github actions gitlab ci parcel react native expo electron',
      ),
    ],
  },
  {
    title: 'Production',
    guides: [
      guide(
        'logging.md',
        'Logging and tracing',
        'debug log pino winston metrics monitoring datadog sentry spans telemetry verbose prometheus grafana histogram curl',
      ),
      guide(
        'SECURITY.md',
        'Security',
        'secrets leak key rotation vault vulnerability cve threat dkim private key redacted',
      ),
      guide(
        'runtimes.md',
        'Runtimes',
        'node 20 node version bun deno esm commonjs webpack vite esbuild bundle size benchmark performance',
      ),
    ],
  },
  {
    title: 'Testing',
    guides: [
      guide(
        'testing.md',
        'Testing',
        'mock stub fake jest vitest msw nock unit test fixtures fake timers mocking mocks',
      ),
      guide('sandbox.md', 'Sandbox', 'mock server local faults seed simulate failure fixtures'),
      guide(
        'service.md',
        "The service's rules",
        'specification api docs fields schema ambiguities undocumented limits',
      ),
    ],
  },
];

/** Files in `docs` for those who work on the package: they are no part of the site. */
export const maintainersFiles: readonly string[] = [
  'AGENTS.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'benchmarks.md',
  'release-policy.md',
];
