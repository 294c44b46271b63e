import { InvalidResponseError } from '../errors.ts';
import { ApiPromise, addCallSite, type CallResult } from '../http/call/api-promise.ts';
import { typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import type { Contact, ContactsQuery } from '../operations/contacts.ts';

type ListContacts = (query: ContactsQuery, options: CallOptions | undefined) => ApiPromise<Contact[]>;

/** Searches for the contact with an email, in upper or lower case. Reads further pages while they hold other contacts. */
export function findByEmail(
  list: ListContacts,
  email: string,
  options?: CallOptions,
): ApiPromise<Contact | undefined> {
  const callSite = new Error();
  const found = find(list, email, options).catch(error => {
    addCallSite(error, callSite);
    throw error;
  });
  return new ApiPromise(found);
}

async function find(
  list: ListContacts,
  email: string,
  options: CallOptions | undefined,
): Promise<CallResult<Contact | undefined>> {
  const seen = new Set<string | undefined>();
  for (let offset = 0; ; ) {
    // Without a text to search for, every contact would be listed.
    const { data, response } = await list({ search: email ?? '', offset }, options).withResponse();
    // Neither `validation: 'off'` nor the output of a handler promises a list of contacts.
    if (!Array.isArray(data)) throw notAnArray(data);
    const contact = data.find(candidate => isSameEmail(candidate?.email, email));
    const hasMore = data.some(candidate => !seen.has(candidate?.id));
    if (contact || !hasMore)
      return { data: contact, status: response.status, headers: () => response.headers };
    for (const candidate of data) seen.add(candidate?.id);
    offset += data.length;
  }
}

function notAnArray(data: unknown): InvalidResponseError {
  const issue = { path: '', expected: 'an array', received: typeName(data) };
  const message = `contacts.findByEmail: the response cannot be searched: expected an array, got ${issue.received}.`;
  return new InvalidResponseError(message, {
    operation: 'contacts.findByEmail',
    outcome: 'done',
    issues: [issue],
  });
}

/** A handler can leave the email out of what a web page sees. */
const isSameEmail = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
