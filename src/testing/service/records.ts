/** A domain, as the sandbox keeps it. */
export interface DomainRecord {
  /** `domain_` and 22 letters or digits. */
  readonly id: string;
  /** Unique, whatever the case. */
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
  /** Empty when nothing failed. */
  dmarcFailureReason: string;
  /** Nanoseconds since the epoch. */
  created: bigint;
  /** Nanoseconds since the epoch; 0 when never updated. */
  updated: bigint;
}

/** A list, as the sandbox keeps it. */
export interface ListRecord {
  /** `list_` and 22 letters or digits. */
  readonly id: string;
  /** Need not be unique. */
  readonly name: string;
  /** The specification does not say what its values mean. */
  type: number;
  /** A system list, which cannot be deleted. */
  system: boolean;
  /** Deleted softly: no longer listed, and still here. */
  deleted: boolean;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC. */
  updated: string;
}

/** A tag, a post tag or a post category, as the sandbox keeps it. */
export interface NamedRecord {
  /** The prefix of its kind, and 22 letters or digits. */
  readonly id: string;
  /** Unique for tags. */
  readonly name: string;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC. */
  updated: string;
}

/** A custom field of the team; its id is what REST shows and its name what the legacy interface shows. */
export interface CustomFieldRecord {
  /** `custom_field_` and 22 letters or digits. */
  readonly id: string;
  /** Unique. */
  readonly name: string;
  /** A number field takes `++` and `--`. */
  type: 'string' | 'number';
}

/** A contact, as both interfaces see it. */
export interface ContactRecord {
  /** `contact_` and 22 letters or digits; never changes. */
  readonly id: string;
  /** Unique. */
  readonly email: string;
  /** Empty when not given. */
  firstName: string;
  /** Empty when not given. */
  lastName: string;
  /** Empty when not given. */
  company: string;
  /** `YYYY-MM-DD`, or empty; shown by the legacy interface alone. */
  birthday: string;
  /** Values by custom-field id (`custom_field_…`). */
  customFields: Record<string, string>;
  /** List ids. */
  lists: readonly string[];
  /** Tag ids. */
  tags: readonly string[];
  /** Wants no more emails. */
  unsubscribed: boolean;
  /** Emails bounced. */
  bounced: boolean;
  /** Marked emails as spam. */
  spam: boolean;
  /** Blocked from receiving emails. */
  blocked: boolean;
  /** Emails were dropped. */
  dropped: boolean;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC. */
  updated: string;
  /** Tracking data and UTM parameters as a query string. */
  trackData: string;
  /** 1 API or by hand, 2 import, 3 form, 4 integration. */
  contactSource: number;
  /** URL of the page where the contact was made. */
  pageSource: string;
  /** The last IP address seen, or empty. */
  lastTrackedIp: string;
  /** Lifetime value in cents. */
  ltv: number;
}

/** A sender address, as the sandbox keeps it. */
export interface SenderRecord {
  /** `sender_` and 22 letters or digits. */
  readonly id: string;
  /** The name that emails show. */
  readonly name: string;
  /** The address that emails are sent from. */
  email: string;
  /** `true` when verified, `false` while pending. */
  isWhitelisted: boolean;
}

/** An email template, with what decides whether it can be deleted (section 4, endpoint rule 3). */
export interface TemplateRecord {
  /** `template_` and 22 letters or digits. */
  readonly id: string;
  /** Shown nowhere but here. */
  readonly name: string;
  /** A system or default template. */
  system: boolean;
  /** Shared with other teams. */
  shared: boolean;
}

/** A campaign, with what decides whether it can be deleted (section 4, endpoint rule 4). */
export interface CampaignRecord {
  /** `campaign_` and 22 letters or digits. */
  readonly id: string;
  /** Shown nowhere but here. */
  readonly name: string;
  /** One that is scheduled, being sent or sent cannot be deleted. */
  state: 'draft' | 'active' | 'scheduled' | 'sending' | 'sent' | 'archived';
  /** Id of the template it uses, or empty. */
  template: string;
}

/** A custom event that was recorded. */
export interface EventRecord {
  /** An id of the sandbox alone. */
  readonly id: string;
  /** The event's name. */
  readonly name: string;
  /** The contact as the request named it: by id or email. */
  identifier: string;
  /** Id of the contact that `identifier` names, or empty when it names none. */
  contact: string;
  /** Properties of the event. */
  data: Record<string, string>;
  /** Unix seconds. */
  time: number;
}

/** A tag that Track added to or removed from a contact: what automation rules would run on. */
export interface TagChangeRecord {
  /** An id of the sandbox alone. */
  readonly id: string;
  /** Contact id. */
  contact: string;
  /** Tag name. */
  tag: string;
  /** `added` or `removed`. */
  change: 'added' | 'removed';
}
