import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { Contact, ContactsQuery } from '../resources/contacts.ts';
import { recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { flag, integer } from '../schemas/number.ts';
import { listingQuery } from '../schemas/page.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { nonEmptyText, text } from '../schemas/text.ts';
import { textMap } from '../schemas/value-map.ts';

const contact = () =>
  z.looseObject(
    {
      id: recordId<'contact'>(),
      firstName: text(),
      lastName: text(),
      email: nonEmptyText(),
      company: text(),
      customFields: textMap(),
      lists: z.array(text(), 'a list of texts'),
      tags: z.array(text(), 'a list of texts'),
      unsubscribed: flag(),
      bounced: flag(),
      spam: flag(),
      blocked: flag(),
      dropped: flag(),
      created: text(),
      updated: text(),
      trackData: text(),
      contactSource: integer(),
      pageSource: text(),
      lastTrackedIp: text(),
      ltv: integer(),
    },
    'an object',
  );

/** `GET /contact` (specification, section 4, endpoint 7). The limit is the wider of the two that it names. */
export const listContacts: Operation<ContactsQuery | undefined, Contact[]> = {
  name: 'contacts.list',
  api: 'rest',
  method: 'GET',
  path: '/contact',
  query: ['offset', 'limit', 'search'],
  idempotent: true,
  input: /* @__PURE__ */ inputSchema(() => listingQuery(100, { min: 2, max: 255 })),
  output: /* @__PURE__ */ responseSchema(() => z.array(contact()), {
    required: ['id', 'email'],
    aliases: { LTV: 'ltv' },
  }),
};

/** Part of the table of operations. */
export const contactOperations = [listContacts];
