import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { IdentifyParams, IdentifyResult, TrackParams, TrackResult } from '../resources/legacy.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { atLeastOneTag } from '../schemas/tag-changes.ts';
import { day, email, matchingText, text, textList } from '../schemas/text.ts';
import { textMap, valueMap } from '../schemas/value-map.ts';
import { identifyIsIdempotent } from './identify-is-idempotent.ts';

const legacyContact = () =>
  z.looseObject(
    {
      encryptedTeamId: text(),
      encryptedId: text(),
      firstName: text(),
      lastName: text(),
      email: text(),
      company: text(),
      birthday: text(),
      tags: z.array(text(), 'a list of texts'),
      customFields: textMap(),
    },
    'an object',
  );

/** The status of a success; empty where none came. */
const legacyStatus = () => matchingText(/^(200|success)?$/, 'the text 200 or success');

/** `POST /contact/identify` (specification, section 4, legacy endpoints). */
export const identify: Operation<IdentifyParams, IdentifyResult> = {
  name: 'legacy.identify',
  api: 'legacy',
  method: 'POST',
  path: '/contact/identify',
  idempotent: identifyIsIdempotent,
  input: /* @__PURE__ */ inputSchema(() =>
    z.strictObject(
      {
        email: email(),
        newEmail: z.optional(email()),
        firstName: z.optional(text()),
        lastName: z.optional(text()),
        company: z.optional(text()),
        birthday: z.optional(day()),
        customFields: z.optional(valueMap()),
        tags: z.optional(textList()),
      },
      'an object',
    ),
  ),
  output: /* @__PURE__ */ responseSchema(() =>
    z.looseObject(
      { status: legacyStatus(), message: text(), data: z.optional(legacyContact()) },
      'an object',
    ),
  ),
};

/** `POST /contact/track` (specification, section 4, legacy endpoints). */
export const track: Operation<TrackParams, TrackResult> = {
  name: 'legacy.track',
  api: 'legacy',
  method: 'POST',
  path: '/contact/track',
  query: ['email'],
  idempotent: true,
  notFoundAdvice: 'No contact has this email: create it with client.legacy.identify.',
  input: /* @__PURE__ */ inputSchema(() =>
    atLeastOneTag(
      z.strictObject(
        { email: email(), addTags: z.optional(textList()), removeTags: z.optional(textList()) },
        'an object',
      ),
    ),
  ),
  output: /* @__PURE__ */ responseSchema(() =>
    z.looseObject({ status: legacyStatus(), message: text(), data: z.optional(text()) }, 'an object'),
  ),
};

/** Part of the table of operations. */
export const legacyOperations = [identify, track];
