import type { Ambiguities } from './ambiguities.ts';
import type { State } from './collection.ts';
import {
  type ContactRecord,
  type DomainRecord,
  type KindName,
  legacyFields,
  recordKinds,
} from './record-kinds.ts';

/** A DNS record object. */
const dns = (host: string, type: 'TXT' | 'CNAME', textValue: string) => ({ host, type, textValue });

/**
 * Returns a domain as JSON text. Its times are written digit by digit, because JavaScript numbers would round them.
 */
export function domainText(domain: DomainRecord): string {
  const { id, name, created, updated, dmarcFailureReason, ...verified } = domain;
  const key = `sandbox${id.slice(-12)}`;
  const rest = {
    id,
    name,
    ...verified,
    dkim: dns(`sb1._domainkey.${name}`, 'TXT', `k=rsa; p=${key}`),
    returnPath: dns(`bounce.${name}`, 'CNAME', 'bounce.sandbox.example'),
    track: dns(`track.${name}`, 'CNAME', 'track.sandbox.example'),
    dmarc: dns(`_dmarc.${name}`, 'TXT', 'v=DMARC1; p=none'),
    gpt: dns(name, 'TXT', ''),
    dkimConfig: dkimConfig(name, key),
    dmarcFailureReason,
  };
  return `${JSON.stringify(rest).slice(0, -1)},"created":${created},"updated":${updated}}`;
}

/** Returns JSON within JSON, with a made-up private key. */
function dkimConfig(name: string, key: string): string {
  return JSON.stringify({
    Domain: name,
    PubKey: key,
    PrivKey: `not-a-real-private-key-${key}`,
    Selector: 'sb1',
    Headers: ['from', 'to', 'subject'],
  });
}

/** Returns a record as REST shows it. */
export function restView(kind: KindName, record: object): object {
  const { fields } = recordKinds[kind];
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields[name]?.rest !== false));
}

/** Returns a contact as REST shows it: custom fields by prefixed id, lists and tags by id. */
export function contactView(contact: ContactRecord, { fieldPrefix }: Ambiguities) {
  const values = Object.entries(contact.customFields).map(([id, value]) => [
    id.replace(/^custom_field_/, fieldPrefix),
    value,
  ]);
  return { ...restView('contacts', contact), customFields: Object.fromEntries(values) };
}

/** Returns a contact as the legacy interface shows it: custom fields and tags by name, no delivery flags. */
export function legacyContactView(contact: ContactRecord, state: State, teamId: string) {
  const fields: Readonly<Record<string, unknown>> = { ...contact };
  const values = Object.entries(contact.customFields).map(([id, value]) => [
    state.customFields.get(id)?.name ?? id,
    value,
  ]);
  return {
    encryptedTeamId: encrypted(teamId),
    encryptedId: encrypted(contact.id),
    email: contact.email,
    ...Object.fromEntries(legacyFields.map(([name]) => [name, fields[name]])),
    tags: contact.tags.map(id => state.tags.get(id)?.name ?? id),
    customFields: Object.fromEntries(values),
  };
}

/** Returns text that looks encrypted; the same input gives the same text. */
const encrypted = (text: string): string => btoa(encodeURIComponent(text));
