/** The smallest valid answer to each of the 16 operations, as the specification's sections 2 and 4 have them. */

const id = 'A1b2C3d4E5f6G7h8I9j0K1';
const time = '2025-12-22T09:04:10Z';
const named = (prefix: string) => ({ id: `${prefix}_${id}`, name: 'n', created: time, updated: time });
const record = { host: 'h.example.com', type: 'TXT', textValue: 'v' };

const domain = `{${[
  `"id":"domain_${id}","name":"example.com"`,
  '"verified":false,"returnPathVerified":false,"dkimVerified":false',
  '"trackVerified":false,"dmarcVerified":false,"gptVerified":false',
  ...['dkim', 'returnPath', 'track', 'dmarc', 'gpt'].map(name => `"${name}":${JSON.stringify(record)}`),
  '"dkimConfig":"{\\"Domain\\":\\"example.com\\",\\"PrivKey\\":\\"CANARY-private-key\\"}"',
  '"dmarcFailureReason":"","created":1766394250613907001,"updated":0',
].join(',')}}`;

const contact = {
  id: `contact_${id}`,
  firstName: 'Ada',
  lastName: 'L',
  email: 'ada@example.com',
  company: '',
  customFields: {},
  lists: [],
  tags: [],
  unsubscribed: false,
  bounced: false,
  spam: false,
  blocked: false,
  dropped: false,
  created: time,
  updated: time,
  trackData: '',
  contactSource: 1,
  pageSource: '',
  lastTrackedIp: '',
  ltv: 0,
};

const legacyContact = {
  encryptedTeamId: 't',
  encryptedId: 'c',
  firstName: '',
  lastName: '',
  email: 'ada@example.com',
  company: '',
  birthday: '',
  tags: [],
  customFields: {},
};

const success = { status: 'success', message: 'done' };

/** Keyed by method and path, an identifier replaced by `*`. */
const answers: Record<string, string> = {
  'POST /api/v1/rest/domain': domain,
  'POST /api/v1/rest/list': JSON.stringify({ ...named('list'), type: 0 }),
  'GET /api/v1/rest/list': JSON.stringify([{ ...named('list'), type: 0 }]),
  'DELETE /api/v1/rest/list/*': JSON.stringify(success),
  'POST /api/v1/rest/tag': JSON.stringify(named('tag')),
  'DELETE /api/v1/rest/tag/*': JSON.stringify(success),
  'GET /api/v1/rest/contact': JSON.stringify([contact]),
  'GET /api/v1/rest/post/tag': JSON.stringify([named('post_tag')]),
  'GET /api/v1/rest/post/tag/*': JSON.stringify(named('post_tag')),
  'POST /api/v1/rest/post/category': JSON.stringify(named('post_category')),
  'GET /api/v1/rest/sender': JSON.stringify([
    { id: `sender_${id}`, name: 'n', email: 's@example.com', isWhitelisted: true },
  ]),
  'DELETE /api/v1/rest/template/email/*': JSON.stringify(success),
  'DELETE /api/v1/rest/campaign/*': JSON.stringify(success),
  'POST /api/v1/rest/events/custom': JSON.stringify(success),
  'POST /api/v1/contact/identify': JSON.stringify({ ...success, data: legacyContact }),
  'POST /api/v1/contact/track': JSON.stringify(success),
};

/** The healthy service's answer to a request; the specification's "resource not found" for any other. */
export function normalAnswer({ method, path }: { readonly method: string; readonly path: string }): string {
  const pattern = path.replace(/\/(?:[a-z]+_)*[A-Za-z0-9]{22}$/, '/*');
  return (
    answers[`${method} ${pattern}`] ?? JSON.stringify({ status: 'error', message: 'resource not found' })
  );
}
