// Situations in which the service reports a failure, or its response cannot be used.
import { contact, suffix } from '../../support/specified-records.ts';
import { clientWith, responding, type Situation } from './situation.ts';

const error = (message: string) => ({ status: 'error', message });
const html = { 'content-type': 'text/html' };
const gateway = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

type Response = Parameters<typeof responding>;

/** Makes a call that gets this response. */
const listed = (...response: Response) => clientWith({ fetch: responding(...response) }).contacts.list();
const created = (...response: Response) =>
  clientWith({ fetch: responding(...response) }).tags.create({ name: 'vip' });
const deleted = (...response: Response) => clientWith({ fetch: responding(...response) }).tags.delete(suffix);
const tracked = (status: number, body: unknown) =>
  clientWith({ fetch: responding(status, body), legacyBaseUrl: 'http://localhost:4010' }).legacy.track({
    email: 'ada@example.com',
    addTags: ['vip'],
  });
const strict = (body: unknown) =>
  clientWith({ fetch: responding(200, body), validation: 'strict' }).contacts.list();

export const responseSituations: readonly Situation[] = [
  ['invalid team id or key', () => listed(401, { status: 401, message: 'team id or API key not valid' })],
  ['name already used', () => created(400, error('resource with this name already exists'))],
  ['malformed body', () => created(400, error('request body not in proper format'))],
  ['a deletion that the state forbids', () => deleted(409, error('template is used in an active campaign'))],
  ['unknown identifier', () => deleted(404, error('resource not found'))],
  ['server failure', () => listed(500, error('internal server error occurred'))],
  ['forbidden', () => listed(403, error('system lists can not be deleted'))],
  ['a failure under HTTP 200 without a status', () => listed(200, { error: 'no luck today' })],
  ['an invalid input, reported under HTTP 200', () => listed(200, { error: 'Invalid parameters provided.' })],
  ['an unknown status', () => listed(418, error('a teapot'))],
  ['a write that the service does not allow', () => created(405, error('method not allowed'))],
  ['a write that may have acted', () => created(503, error('internal server error occurred'))],
  ['a write that is redirected', () => created(302, '', { location: 'https://elsewhere.example.com/' })],
  ['a write whose response is empty', () => created(200, '', { 'content-length': '0' })],
  ['a write that acted, and whose response is no record', () => created(200, [])],
  ['a failure of the legacy interface', () => tracked(500, '')],
  ['`track` of an email that no contact has', () => tracked(200, error('contact not found'))],
  ['an HTML page in place of a resource', () => deleted(404, gateway, html)],
  ['an error without a message', () => listed(422, '')],
  ['too many requests', () => listed(429, error('slow down'))],
  ['too many requests, with `Retry-After`', () => listed(429, error('slow down'), { 'retry-after': '17' })],
  [
    'an error of the server after each of three attempts',
    () => {
      const fetch = responding(500, error('internal server error occurred'));
      return clientWith({ fetch, maxRetries: 2 }).senders.list();
    },
  ],
  ['an HTML page under an error status', () => listed(502, gateway, html)],
  ['an HTML page under HTTP 200', () => listed(200, '<title>Sign in to the network</title>', html)],
  ['a record in place of a page', () => listed(200, contact)],
  ['a page of values that are not records', () => listed(200, [7])],
  ['a contact without an id', () => listed(200, [{ ...contact, id: null }])],
  ['strict validation: fields of another type', () => strict([{ ...contact, firstName: 7, tags: 'vip' }])],
  ['strict validation: a field is missing', () => strict([{ ...contact, company: undefined }])],
  [
    'a response that is too large',
    () => {
      const fetch = responding(200, `["${'x'.repeat(5000)}"]`);
      return clientWith({ fetch, maxResponseBytes: 1000 }).senders.list();
    },
  ],
  [
    'an iteration whose second page fails',
    async () => {
      const page = Array.from({ length: 100 }, (_, index) => ({ ...contact, id: `contact_${index}` }));
      const first = responding(200, page);
      const later = responding(500, error('internal server error occurred'));
      let requests = 0;
      const fetch: typeof first = (...input) => (requests++ === 0 ? first : later)(...input);
      for await (const _ of clientWith({ fetch }).contacts.all());
    },
  ],
];
