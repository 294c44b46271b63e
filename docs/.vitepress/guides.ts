/** One guide of the site. */
interface Guide {
  /** Its file in `docs`. */
  readonly file: string;
  /** Its title in the sidebar. */
  readonly title: string;
  /** Words that readers search for, but that the guide does not contain, or mentions only in passing. */
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
        'identify identify identify endpoints operations webhook sort contacts filter segment audience double opt-in add to list clear field empty field send email count contacts get contact by id add contact to list create list create tag zapier',
      ),
      guide(
        'tasks.md',
        'Recipes',
        'cookbook cron outbox admin page search next page sending domain dns schedule signup double opt-in confirmation subscribe opt-out erasure counter points sqlite postgres database copy sync gdpr cache caching contacts with a tag create update a contact upsert subscriber remove subscriber duplicate contacts types for tags autocomplete',
      ),
      guide(
        'frameworks.md',
        'Use it in a framework',
        'nextjs next vercel nuxt remix react router nest lambda aws serverless cloudflare workers edge express hono fastify sveltekit svelte astro koa hapi docker compose container github actions gitlab ci parcel react native expo electron',
      ),
    ],
  },
  {
    title: 'Calls',
    guides: [
      guide(
        'errors.md',
        'Errors',
        'outcome outcome outcome unknown mean exception catch failure error handling invalid api key unauthorized forbidden duplicates duplicate 400 401 403 404 409 422 500 502 503 504 enotfound econnrefused econnreset dns html syntaxerror',
      ),
      guide(
        'retries.md',
        'Retries, time limits and rate limits',
        'retry retry retry disable retries backoff idempotency key idempotent deadline timeout abort signal cancel hang slow too long stuck throttle throttling quota 429 too many requests concurrency limiter redis',
      ),
      guide(
        'pagination.md',
        'Pagination',
        'get all contacts list all contacts pagination cursor progress next page iterate loop all records export resume offset limit',
      ),
      guide(
        'bulk.md',
        'Bulk operations',
        'bulk batch parallel concurrency progress mass update queue worker kill',
      ),
      guide(
        'any-endpoint.md',
        'Custom requests',
        'any endpoint raw undocumented zod valibot schema get post put patch',
      ),
    ],
  },
  {
    title: 'Web pages',
    guides: [
      guide(
        'browser.md',
        'Web pages and sign-up forms',
        'browsers sign-up form proxy frontend react vue angular svelte cors cors error csrf cookie bundle handler captcha double click preferences preference center',
      ),
    ],
  },
  {
    title: 'Command line',
    guides: [
      guide(
        'commands.md',
        'Import and export',
        'check cli csv excel xlsx spreadsheet semicolon delimiter separator encoding utf-8 utf8 bom latin-1 mailchimp hubspot brevo klaviyo shopify activecampaign dry run kill resume upload download backup utf16 utf-16 google contacts outlook consent',
      ),
      guide(
        'import-step-by-step.md',
        'Import a CSV, step by step',
        'install node terminal powershell windows macos first import without programming spreadsheet mailable',
      ),
    ],
  },
  {
    title: 'Tests',
    guides: [
      guide(
        'testing.md',
        'Testing',
        'mock stub fake jest vitest msw nock unit test fixtures fake timers mocking mocks playwright cypress offline without network wrong key',
      ),
      guide(
        'sandbox.md',
        'Sandbox',
        'mock server local faults seed simulate failure simulate error 500 fixtures python',
      ),
    ],
  },
  {
    title: 'Production',
    guides: [
      guide(
        'configuration.md',
        'Configuration',
        'options settings env dotenv environment bearer access token api key team id two accounts several teams base url self-signed certificate corporate proxy',
      ),
      guide(
        'logging.md',
        'Logging and tracing',
        'debug log pino winston metrics monitoring datadog sentry spans telemetry verbose prometheus grafana histogram curl postman',
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
      guide(
        'benchmarks.md',
        'Benchmarks',
        'speed fast performance compare stripe openai octokit ky size memory',
      ),
      guide(
        'release-policy.md',
        'Release policy',
        'upgrade upgrading update semver major minor breaking changes',
      ),
    ],
  },
  {
    title: 'The service',
    guides: [
      guide(
        'service.md',
        'API ambiguities',
        'specification api docs fields schema ambiguities undocumented limits openapi swagger',
      ),
      guide('service-rules.md', "The service's rules", 'specification endpoints fields rules errors openapi'),
    ],
  },
];

/** Files in `docs` for maintainers, which are not part of the site. */
export const maintainersFiles: readonly string[] = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];
