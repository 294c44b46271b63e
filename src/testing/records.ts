/** A domain, as the sandbox keeps it. */
export interface DomainRecord {
  readonly id: string;
  readonly name: string;
  verified: boolean;
  returnPathVerified: boolean;
  dkimVerified: boolean;
  trackVerified: boolean;
  dmarcVerified: boolean;
  gptVerified: boolean;
  dmarcFailureReason: string;
  /** Nanoseconds since the epoch. */
  created: bigint;
  /** Nanoseconds since the epoch; 0 when never updated. */
  updated: bigint;
}

/** A list, as the sandbox keeps it. */
export interface ListRecord {
  readonly id: string;
  readonly name: string;
  type: number;
  /** A system list, which cannot be deleted. */
  system: boolean;
  /** Deleted softly: no longer listed, and still here. */
  deleted: boolean;
  created: string;
  updated: string;
}

/** A tag, a post tag or a post category, as the sandbox keeps it. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  created: string;
  updated: string;
}

/** A custom field of the team; its id is what REST shows and its name what the legacy interface shows. */
export interface CustomFieldRecord {
  readonly id: string;
  readonly name: string;
  type: 'string' | 'number';
}

/** A contact, as both interfaces see it. */
export interface ContactRecord {
  readonly id: string;
  readonly email: string;
  firstName: string;
  lastName: string;
  company: string;
  /** `YYYY-MM-DD`, or empty; shown by the legacy interface alone. */
  birthday: string;
  /** Values by custom-field id (`custom_field_…`). */
  customFields: Record<string, string>;
  /** List ids. */
  lists: readonly string[];
  /** Tag ids. */
  tags: readonly string[];
  unsubscribed: boolean;
  bounced: boolean;
  spam: boolean;
  blocked: boolean;
  dropped: boolean;
  created: string;
  updated: string;
  trackData: string;
  contactSource: number;
  pageSource: string;
  lastTrackedIp: string;
  /** Lifetime value in cents. */
  ltv: number;
}

/** A sender address, as the sandbox keeps it. */
export interface SenderRecord {
  readonly id: string;
  readonly name: string;
  email: string;
  isWhitelisted: boolean;
}

/** An email template, with what decides whether it can be deleted (section 4, endpoint rule 3). */
export interface TemplateRecord {
  readonly id: string;
  readonly name: string;
  /** A system or default template. */
  system: boolean;
  /** Shared with other teams. */
  shared: boolean;
}

/** A campaign, with what decides whether it can be deleted (section 4, endpoint rule 4). */
export interface CampaignRecord {
  readonly id: string;
  readonly name: string;
  state: 'draft' | 'active' | 'scheduled' | 'sending' | 'sent' | 'archived';
  /** Id of the template it uses, or empty. */
  template: string;
}

/** A custom event that was recorded. */
export interface EventRecord {
  readonly id: string;
  readonly name: string;
  /** What the request named: a contact's id or email. */
  identifier: string;
  /** Id of the contact that `identifier` names, or empty when it names none. */
  contact: string;
  data: Record<string, string>;
  /** Unix seconds. */
  time: number;
}

/** A tag that Track added to or removed from a contact: what automation rules would run on. */
export interface TagChangeRecord {
  readonly id: string;
  /** Contact id. */
  contact: string;
  /** Tag name. */
  tag: string;
  change: 'added' | 'removed';
}
