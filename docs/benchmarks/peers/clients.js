// Each peer's own small create, its listing of 100 records, and its pagination over all of them where it has one.
// `retries`: it repeats a failed call by itself, as it is set up here (always the defaults).

const contactName = row => `${row.firstName} ${row.lastName}`;

export const peers = [
  {
    name: 'stripe',
    retries: true,
    code: "import Stripe from 'stripe'; export default new Stripe('sk_test_1');",
    async make(url) {
      const { default: Stripe } = await import('stripe');
      const { hostname, port } = new URL(url);
      const client = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', telemetry: false });
      return {
        post: () => client.customers.create({ name: 'customers' }),
        page: async () => (await client.customers.list({ limit: 100 })).data,
        pagination: () => client.customers.list({ limit: 100 }),
        identify: row => client.customers.create({ email: row.email, name: contactName(row) }),
      };
    },
  },
  {
    name: 'openai',
    retries: true,
    code: "import OpenAI from 'openai'; export default new OpenAI({ apiKey: 'key' });",
    async make(url) {
      const { default: OpenAI } = await import('openai');
      const client = new OpenAI({ apiKey: 'key', baseURL: url });
      return {
        post: () => client.post('/tag', { body: { name: 'customers' } }),
        page: () => client.get('/contact', { query: { limit: 100 } }),
        identify: row => client.post('/contact/identify', { body: row }),
      };
    },
  },
  {
    name: 'resend',
    retries: false,
    code: "import { Resend } from 'resend'; export default new Resend('re_1');",
    async make(url) {
      const { Resend } = await import('resend');
      const client = new Resend('re_1', { baseUrl: url });
      return {
        post: () => client.contacts.create({ email: 'ada@customers.example' }),
        page: async () => (await client.contacts.list({ limit: 100 })).data.data,
        identify: row =>
          client.contacts.create({ email: row.email, firstName: row.firstName, lastName: row.lastName }),
      };
    },
  },
  {
    name: 'loops',
    retries: false,
    code: "import { LoopsClient } from 'loops'; export default new LoopsClient('key');",
    async make(url) {
      const { LoopsClient } = await import('loops');
      const client = new LoopsClient('key');
      client.apiRoot = `${url}/`;
      return {
        post: () => client.createContact({ email: 'ada@customers.example' }),
        page: () => client.findContact({ email: 'ada@customers.example' }),
        identify: row =>
          client.updateContact({
            email: row.email,
            properties: { firstName: row.firstName, lastName: row.lastName },
          }),
      };
    },
  },
  {
    name: 'octokit',
    retries: true,
    code: "import { Octokit } from 'octokit'; export default new Octokit({ auth: 'key' });",
    async make(url) {
      const { Octokit } = await import('octokit');
      const client = new Octokit({ auth: 'key', baseUrl: url, throttle: { enabled: false } });
      const pages = () => client.paginate.iterator('GET /contact', { per_page: 100 });
      return {
        post: () => client.request('POST /tag', { name: 'customers' }),
        page: async () => (await client.request('GET /contact', { per_page: 100 })).data,
        async *pagination() {
          for await (const { data } of pages()) yield* data;
        },
        identify: row => client.request('POST /contact/identify', row),
      };
    },
  },
  {
    name: 'customerio-node',
    retries: true,
    code: "import { TrackClient } from 'customerio-node'; export default new TrackClient('site', 'key');",
    async make(url) {
      const { TrackClient } = await import('customerio-node');
      const client = new TrackClient('site', 'key', { url });
      return {
        post: () => client.identify('ada', { email: 'ada@customers.example' }),
        identify: row => client.identify(row.email, row),
      };
    },
  },
  {
    name: '@getbrevo/brevo',
    retries: true,
    code: "import { BrevoClient } from '@getbrevo/brevo'; export default new BrevoClient({ apiKey: 'key' });",
    async make(url) {
      const { BrevoClient } = await import('@getbrevo/brevo');
      const client = new BrevoClient({ apiKey: 'key', baseUrl: `${url}/brevo` });
      return {
        post: () => client.contacts.createContact({ email: 'ada@customers.example' }),
        page: async () => (await client.contacts.getContacts({ limit: 100 })).contacts,
        identify: row =>
          client.contacts.createContact({ email: row.email, attributes: { NAME: contactName(row) } }),
      };
    },
  },
  {
    name: 'dub',
    retries: false,
    checks: true,
    code: "import { Dub } from 'dub'; export default new Dub({ token: 'key' });",
    async make(url) {
      const { Dub } = await import('dub');
      const client = new Dub({ token: 'key', serverURL: url });
      return {
        post: () => client.tags.create({ name: 'customers' }),
        identify: row => client.tags.create({ name: row.email }),
      };
    },
  },
  {
    name: 'postmark',
    retries: false,
    code: "import { ServerClient } from 'postmark'; export default new ServerClient('key');",
    async make(url) {
      const { ServerClient } = await import('postmark');
      const client = new ServerClient('key', { requestHost: url.slice('http://'.length), useHttps: false });
      const email = { From: 'a@customers.example', To: 'b@customers.example', Subject: 'Hello' };
      return {
        post: () => client.sendEmail(email),
        identify: row => client.sendEmail({ ...email, To: row.email }),
      };
    },
  },
];
