import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { CreateDomainParams, Domain } from '../resources/domains.ts';
import { recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { nanosecondTime, optionalNanosecondTime } from '../schemas/nanoseconds.ts';
import { flag } from '../schemas/number.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { secretText } from '../schemas/secret-text.ts';
import { nonEmptyText, text } from '../schemas/text.ts';

const dnsRecord = () => z.looseObject({ host: text(), type: text(), textValue: text() }, 'an object');

const domain = () =>
  z.looseObject(
    {
      id: recordId<'domain'>(),
      name: text(),
      verified: flag(),
      returnPathVerified: flag(),
      dkimVerified: flag(),
      trackVerified: flag(),
      dmarcVerified: flag(),
      gptVerified: flag(),
      dkim: dnsRecord(),
      returnPath: dnsRecord(),
      track: dnsRecord(),
      dmarc: dnsRecord(),
      gpt: dnsRecord(),
      dkimConfig: secretText(),
      dmarcFailureReason: text(),
      created: nanosecondTime(),
      updated: optionalNanosecondTime(),
    },
    'an object',
  );

/** `POST /domain` (specification, section 4, endpoint 1). */
export const createDomain: Operation<CreateDomainParams, Domain> = {
  name: 'domains.create',
  api: 'rest',
  method: 'POST',
  path: '/domain',
  idempotent: false,
  input: /* @__PURE__ */ inputSchema(() => z.strictObject({ name: nonEmptyText() }, 'an object')),
  output: /* @__PURE__ */ responseSchema(domain, { required: ['id'], secret: ['dkimConfig'] }),
};

/** Part of the table of operations. */
export const domainOperations = [createDomain];
