// Records of the service, as docs/service-rules.md specifies them.
import { Secret } from '../../src/index.ts';

/** The 22 characters of an identifier, and those of two others of the same kind: no two records of a sandbox have one. */
export const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';
export const second = 'B1b2C3d4E5f6G7h8I9j0K1';
export const third = 'C1b2C3d4E5f6G7h8I9j0K1';

const created = '2025-12-22T09:04:10Z';
const updated = '2025-12-23T10:00:00Z';

/** Returns a list, tag or post tag with the fields that all of these have. */
export const namedRecord = (prefix: string, name: string, characters = suffix) => ({
  id: `${prefix}_${characters}`,
  name,
  created,
  updated,
});

export const deleted = { status: 'success', message: 'The resource was deleted.' };

const dns = (host: string, type: string, textValue: string) => ({ host, type, textValue });

/** A domain without its times, which are too large for JavaScript's numbers. */
const domain = {
  id: `domain_${suffix}`,
  name: 'mail.example.com',
  verified: false,
  returnPathVerified: false,
  dkimVerified: true,
  trackVerified: false,
  dmarcVerified: false,
  gptVerified: false,
  dkim: dns('k1._domainkey', 'TXT', 'v=DKIM1; p=abc'),
  returnPath: dns('bounce', 'CNAME', 'bounce.example.net'),
  track: dns('track', 'CNAME', 'track.example.net'),
  dmarc: dns('_dmarc', 'TXT', 'v=DMARC1; p=none'),
  gpt: dns('@', 'TXT', ''),
  dkimConfig: '{"Domain":"mail.example.com","PrivKey":"CANARY-private-key"}',
  dmarcFailureReason: '',
};

/** Returns the domain as JSON text with these times. */
export const domainText = (times: string): string => `${JSON.stringify(domain).slice(0, -1)},${times}}`;

/** Matches a secret that reveals this text. */
const secretOf = (text: string) => ({
  asymmetricMatch: (value: unknown) => value instanceof Secret && value.reveal() === text,
});

/** The domain that the client returns if `created` is 1766394250613907001 and `updated` 0. */
export const domainResult = {
  ...domain,
  dkimConfig: secretOf(domain.dkimConfig),
  created: '2025-12-22T09:04:10.613907001Z',
  updated: null,
};

export const contact = {
  id: `contact_${suffix}`,
  firstName: 'Zoë',
  lastName: 'Ångström',
  email: 'zoe+news@example.com',
  company: 'Örebro Kafé, AB',
  customFields: { [`custom_field_${suffix}`]: 'gold' },
  lists: [`list_${suffix}`],
  tags: [`tag_${suffix}`],
  unsubscribed: false,
  bounced: false,
  spam: true,
  blocked: false,
  dropped: false,
  created,
  updated,
  trackData: 'utm_source=news',
  contactSource: 2,
  pageSource: '',
  lastTrackedIp: '192.0.2.7',
  ltv: 1999,
};

/** Returns the empty value of the same type (rule 2.6). */
function nothing(value: unknown): unknown {
  if (typeof value === 'object') return Array.isArray(value) ? [] : {};
  return { string: '', number: 0, boolean: false }[typeof value as 'string' | 'number' | 'boolean'];
}

/** The contact with the empty value in each field. */
export const emptyContact: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(contact).map(([name, value]) => [name, nothing(value)]),
);

export const legacyContact = {
  encryptedTeamId: 't9',
  encryptedId: 'c9',
  firstName: 'Zoë',
  lastName: '',
  email: 'zoe+news@example.com',
  company: '',
  birthday: '1990-02-28',
  tags: ['vip'],
  customFields: { plan: 'gold' },
};
