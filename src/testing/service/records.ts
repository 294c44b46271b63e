/** A domain, as the sandbox keeps it. */
export interface DomainRecord {
  /** `domain_` and 22 letters or digits. */
  readonly id: string;
  /** Domain name, unique without regard to case. */
  readonly name: string;
  /** `true` when the domain as a whole is verified. */
  verified: boolean;
  /** `true` when the return path is verified. */
  returnPathVerified: boolean;
  /** `true` when DKIM is verified. */
  dkimVerified: boolean;
  /** `true` when the tracking domain is verified. */
  trackVerified: boolean;
  /** `true` when DMARC is verified. */
  dmarcVerified: boolean;
  /** `true` when Google Postmaster Tools is verified. */
  gptVerified: boolean;
  /** Reason why DMARC verification failed; empty if it did not. */
  dmarcFailureReason: string;
  /** Time of creation, in nanoseconds since the epoch. */
  created: bigint;
  /** Time of the last change, in nanoseconds since the epoch; 0 if never updated. */
  updated: bigint;
}

/** A list, as the sandbox keeps it. */
export interface ListRecord {
  /** `list_` and 22 letters or digits. */
  readonly id: string;
  /** Name of the list; need not be unique. */
  readonly name: string;
  /** Type of the list; the specification does not define the values. */
  type: number;
  /** `true` for a system list, which cannot be deleted. */
  system: boolean;
  /** `true` if the list was deleted: it is no longer listed, and its record stays. */
  deleted: boolean;
  /** Time of creation: ISO 8601, UTC. */
  created: string;
  /** Time of the last change: ISO 8601, UTC. */
  updated: string;
}

/** A tag, a post tag or a post category, as the sandbox keeps it. */
export interface NamedRecord {
  /** The prefix of its kind, and 22 letters or digits. */
  readonly id: string;
  /** Name; unique for tags. */
  readonly name: string;
  /** Time of creation: ISO 8601, UTC. */
  created: string;
  /** Time of the last change: ISO 8601, UTC. */
  updated: string;
}

/** A custom field of the team; its id is what REST shows and its name what the legacy interface shows. */
export interface CustomFieldRecord {
  /** `custom_field_` and 22 letters or digits. */
  readonly id: string;
  /** Name, unique among custom fields. */
  readonly name: string;
  /** Type of the field; `number` accepts `++` and `--` values. */
  type: 'string' | 'number';
}

/** A contact, as both interfaces see it. */
export interface ContactRecord {
  /** `contact_` and 22 letters or digits; never changes. */
  readonly id: string;
  /** Email address, unique among contacts. */
  readonly email: string;
  /** First name; empty if not given. */
  firstName: string;
  /** Last name; empty if not given. */
  lastName: string;
  /** Company; empty if not given. */
  company: string;
  /** Date of birth, as `YYYY-MM-DD`, or empty; only the legacy interface shows it. */
  birthday: string;
  /** Values by custom-field id (`custom_field_…`). */
  customFields: Record<string, string>;
  /** Ids of the lists that the contact is in. */
  lists: readonly string[];
  /** Ids of the contact's tags. */
  tags: readonly string[];
  /** `true` if the contact unsubscribed from emails. */
  unsubscribed: boolean;
  /** `true` if emails to the contact bounced. */
  bounced: boolean;
  /** `true` if the contact marked emails as spam. */
  spam: boolean;
  /** `true` if the contact is blocked from receiving emails. */
  blocked: boolean;
  /** `true` if emails to the contact were dropped. */
  dropped: boolean;
  /** Time of creation: ISO 8601, UTC. */
  created: string;
  /** Time of the last change: ISO 8601, UTC. */
  updated: string;
  /** Tracking data and UTM parameters as a query string. */
  trackData: string;
  /** Origin of the contact: 1 API or manual, 2 import, 3 form, 4 integration. */
  contactSource: number;
  /** URL of the page where the contact was created; may be empty. */
  pageSource: string;
  /** Last IP address that was tracked; may be empty. */
  lastTrackedIp: string;
  /** Lifetime value in cents. */
  ltv: number;
}

/** A sender address, as the sandbox keeps it. */
export interface SenderRecord {
  /** `sender_` and 22 letters or digits. */
  readonly id: string;
  /** Name that recipients see. */
  readonly name: string;
  /** Address that emails are sent from. */
  email: string;
  /** `true` when verified, `false` while pending. */
  isWhitelisted: boolean;
}

/** An email template, with what decides whether it can be deleted (section 4, endpoint rule 3). */
export interface TemplateRecord {
  /** `template_` and 22 letters or digits. */
  readonly id: string;
  /** Name that only the sandbox shows. */
  readonly name: string;
  /** `true` for a system or default template, which cannot be deleted. */
  system: boolean;
  /** `true` if the template is shared with other teams, and so cannot be deleted. */
  shared: boolean;
}

/** A campaign, with what decides whether it can be deleted (section 4, endpoint rule 4). */
export interface CampaignRecord {
  /** `campaign_` and 22 letters or digits. */
  readonly id: string;
  /** Name that only the sandbox shows. */
  readonly name: string;
  /** State of the campaign; a scheduled, sending or sent one cannot be deleted. */
  state: 'draft' | 'active' | 'scheduled' | 'sending' | 'sent' | 'archived';
  /** Id of the template it uses, or empty. */
  template: string;
}

/** A custom event that was recorded. */
export interface EventRecord {
  /** An id of the sandbox alone. */
  readonly id: string;
  /** Name of the event. */
  readonly name: string;
  /** The contact as the request named it: by id or email. */
  identifier: string;
  /** Id of the contact that `identifier` names, or empty when it names none. */
  contact: string;
  /** Properties of the event. */
  data: Record<string, string>;
  /** Time of the event, in Unix seconds. */
  time: number;
}

/** A tag that Track added to or removed from a contact: what automation rules would run on. */
export interface TagChangeRecord {
  /** An id of the sandbox alone. */
  readonly id: string;
  /** Id of the contact. */
  contact: string;
  /** Name of the tag. */
  tag: string;
  /** Change of the tag: `added` or `removed`. */
  change: 'added' | 'removed';
}
