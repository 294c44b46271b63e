// What the OpenAPI document says in addition to the schemas and doc comments.
import { idKinds } from '../../src/schemas/id.ts';
import type { Schema } from './json-schema.ts';

/** Objects within records that have their own name, by their first field. */
export const nestedNames: Record<string, string> = {
  host: 'DnsRecord',
  encryptedTeamId: 'LegacyContact',
};

/** An id with this prefix. */
export const exampleId = (prefix: string): string => `${prefix}4fzZ0pXkP1q9LmT7aBcD2e`;

/** An example of the id of each record that is named like a kind of ids. */
const exampleIds = Object.fromEntries(
  idKinds.map(kind => {
    const name = kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [`${name}.id`, { examples: [exampleId(`${kind}_`)] }];
  }),
);

/** Fields that are documented as always present, but that a response may lack (rule 6.7). */
export const statedFields: Record<string, readonly string[]> = { IdentifyResult: ['data'] };

/** What is documented about a field beyond what the client requires (rules 5.1 and 9.2). */
export const fieldFacts: Record<string, Schema> = {
  ...exampleIds,
  'Domain.created': {
    type: 'integer',
    format: 'int64',
    description: 'Nanoseconds since the epoch: beyond what a double holds exactly.',
  },
  'Domain.updated': {
    type: 'integer',
    format: 'int64',
    description: 'Nanoseconds since the epoch; 0 if never updated.',
  },
  'Domain.dkimConfig': {
    description:
      'JSON text with the members Domain, PubKey, PrivKey, Selector and Headers. Holds a private key.',
  },
  'Domain.dmarcFailureReason': { description: 'Empty when there is no failure.' },
  'List.type': { description: 'The meaning of its values is not documented.' },
  'Contact.customFields': { description: 'Values by prefixed custom-field identifier.' },
  'Contact.contactSource': {
    enum: [1, 2, 3, 4],
    description: '1 = API or manual, 2 = import, 3 = form, 4 = integration.',
  },
  'Contact.ltv': { description: 'Lifetime value in cents.' },
  'Contact.trackData': {
    description: 'Tracking data and UTM parameters in query-string form; may be empty.',
  },
  'Contact.pageSource': { description: 'URL of the page where the contact was created; may be empty.' },
  'Acknowledgement.status': { examples: ['success'] },
  'IdentifyResult.status': { examples: ['200'] },
  'TrackResult.status': { examples: ['200'] },
  'Sender.isWhitelisted': { description: 'false = pending, true = verified.' },
  'RecordEventParams.identifier': { description: 'Id or email of a contact.' },
  'RecordEventParams.time': {
    format: 'int64',
    description: 'Unix seconds; default the time of the request.',
  },
  'IdentifyParams.newEmail': { description: 'Changes the email of the contact that has `email`.' },
  'IdentifyParams.customFields': {
    description: 'Values by name. In a number field `++5` adds and `--5` subtracts.',
  },
  'IdentifyParams.tags': { description: 'Tag names, added to those the contact has.' },
};
