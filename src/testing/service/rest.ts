import { type Call, objectBody, optionalText, requiredText, textMap } from './call.ts';
import type { Collection } from './collection.ts';
import { containing, page, readPaging } from './paging.ts';
import { type Answer, Refusal } from './refusal.ts';
import { contactView, domainText, listView, namedView, senderView } from './view.ts';

const hostname = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/** `POST /domain` (endpoint rule 1). */
export function createDomain(call: Call): Answer {
  const name = requiredText(objectBody(call), 'name');
  if (!hostname.test(name)) throw new Refusal('malformed');
  refuseUsedName(call, 'domain', call.state.domains, name);
  const domain = call.state.domains.add({ name });
  return { status: call.silences.createdStatus, json: undefined, text: domainText(domain) };
}

/** `POST /list`. */
export function createList(call: Call): Answer {
  const name = requiredText(objectBody(call), 'name');
  const used = call.state.lists.find({ name, deleted: false });
  if (used !== undefined && call.silences.uniqueNames.includes('list')) throw new Refusal('nameUsed');
  return created(call, listView(call.state.lists.add({ name })));
}

/** `GET /list`: a bare array of the lists that are not deleted. */
export function getLists(call: Call): Answer {
  const paging = readPaging(call, {
    cap: call.silences.listPageCap,
    defaultLimit: call.silences.listDefaultLimit,
    searchParameter: 'search',
    searchMax: 100,
  });
  const hit = paging.search === undefined ? () => true : containing(paging.search);
  const lists = page(
    call.state.lists.all,
    paging,
    call.silences.order,
    list => !list.deleted && hit(list.name),
  );
  return listing(call, lists.map(listView));
}

/** `DELETE /list/{identifier}` (endpoint rule 2): its data and its contacts stay. */
export function deleteList(call: Call): Answer {
  if (call.body !== '') objectBody(call);
  if (!isIdentifier(call.identifier, 'list_')) throw new Refusal('malformed');
  const list = call.state.lists.get(call.identifier);
  if (list === undefined || list.deleted) throw new Refusal('unknown');
  if (list.system) throw new Refusal('undeletable', 'system lists can not be deleted');
  list.deleted = true;
  return deleted(call, 'list');
}

/** `POST /tag` (endpoint rule 6). */
export function createTag(call: Call): Answer {
  const name = requiredText(objectBody(call), 'name');
  refuseUsedName(call, 'tag', call.state.tags, name);
  return created(call, namedView(call.state.tags.add({ name })));
}

/** `DELETE /tag/{identifier}`: contacts lose it. */
export function deleteTag(call: Call): Answer {
  const { id } = lookUp(call, call.state.tags, 'tag_');
  call.state.tags.delete(id);
  for (const contact of call.state.contacts)
    if (contact.tags.includes(id)) contact.tags = contact.tags.filter(tag => tag !== id);
  return deleted(call, 'tag');
}

/** `GET /contact`: a bare array of contacts. */
export function getContacts(call: Call): Answer {
  const paging = readPaging(call, {
    cap: call.silences.contactPageCap,
    defaultLimit: Math.min(10, call.silences.contactPageCap),
    searchParameter: call.silences.contactSearchParameter,
    searchMax: 255,
  });
  const hit = paging.search === undefined ? undefined : containing(paging.search);
  const contacts = page(
    call.state.contacts.all,
    paging,
    call.silences.order,
    hit && (contact => hit(contact.firstName) || hit(contact.lastName) || hit(contact.email)),
  );
  return listing(
    call,
    contacts.map(contact => contactView(contact, call.silences)),
  );
}

/** `GET /post/tag`: every post tag. */
export function getPostTags(call: Call): Answer {
  return listing(call, call.state.postTags.all.map(namedView));
}

/** `GET /post/tag/{identifier}`. */
export function getPostTag(call: Call): Answer {
  return {
    status: call.silences.successStatus,
    json: namedView(lookUp(call, call.state.postTags, 'post_tag_')),
  };
}

/** `POST /post/category`. */
export function createPostCategory(call: Call): Answer {
  const name = requiredText(objectBody(call), 'name');
  refuseUsedName(call, 'postCategory', call.state.postCategories, name);
  return created(call, namedView(call.state.postCategories.add({ name })));
}

/** `GET /sender`: every sender. */
export function getSenders(call: Call): Answer {
  return listing(call, call.state.senders.all.map(senderView));
}

/** `DELETE /template/email/{identifier}` (endpoint rule 3). */
export function deleteTemplate(call: Call): Answer {
  const template = lookUp(call, call.state.templates, 'template_');
  const user = call.state.campaigns.all.find(
    ({ template: used, state }) =>
      (used === template.id || used === template.name) &&
      (state === 'active' || state === 'scheduled' || state === 'sending'),
  );
  if (user !== undefined)
    throw new Refusal('undeletable', 'template is used in an active or scheduled campaign');
  if (template.system) throw new Refusal('undeletable', 'system and default templates can not be deleted');
  if (template.shared) throw new Refusal('undeletable', 'template is shared with other teams');
  call.state.templates.delete(template.id);
  return deleted(call, 'template');
}

/** `DELETE /campaign/{identifier}` (endpoint rule 4). */
export function deleteCampaign(call: Call): Answer {
  const known = isIdentifier(call.identifier, 'campaign_') && call.state.campaigns.get(call.identifier);
  if (!known && call.silences.unknownCampaign === 'succeed') return deleted(call, 'campaign');
  const { id, state } = lookUp(call, call.state.campaigns, 'campaign_');
  if (state === 'sent' || state === 'sending' || state === 'scheduled')
    throw new Refusal('undeletable', `a ${state} campaign can not be deleted`);
  call.state.campaigns.delete(id);
  return deleted(call, 'campaign');
}

/** `POST /events/custom` (endpoint rule 5). */
export function recordEvent(call: Call): Answer {
  const body = objectBody(call);
  for (const member of call.silences.eventRequires)
    if (!Object.hasOwn(body, member)) throw new Refusal('malformed');
  const time = Object.hasOwn(body, 'time') ? body.time : Math.floor(call.now().getTime() / 1000);
  if (typeof time !== 'number' || !Number.isSafeInteger(time)) throw new Refusal('malformed');
  const identifier = optionalText(body, 'identifier') ?? '';
  const name = optionalText(body, 'name') ?? '';
  const required = { name, identifier };
  for (const member of ['name', 'identifier'] as const)
    if (required[member].trim() === '' && call.silences.eventRequires.includes(member))
      throw new Refusal('malformed');
  const data = Object.fromEntries(textMap(body, 'data'));
  const contact = call.state.contacts.get(identifier) ?? call.state.contacts.named(identifier);
  if (contact === undefined && call.silences.eventOfUnknownContact === 'refuse') throw new Refusal('unknown');
  call.state.events.add({ name, identifier, contact: contact?.id ?? '', data, time });
  return acknowledged(call, 'event tracked');
}

/** Whether a path's identifier is of the pattern `^(prefix)?[a-zA-Z0-9]{22}$` (section 2, conventions). */
function isIdentifier(identifier: string, prefix: string): boolean {
  const suffix = identifier.startsWith(prefix) ? identifier.slice(prefix.length) : identifier;
  return /^[a-zA-Z0-9]{22}$/.test(suffix);
}

function lookUp<T extends { readonly id: string }>(call: Call, records: Collection<T>, prefix: string): T {
  const record = isIdentifier(call.identifier, prefix) ? records.get(call.identifier) : undefined;
  if (record === undefined) throw new Refusal('unknown');
  return record;
}

function refuseUsedName<T extends { readonly id: string }>(
  { silences }: Call,
  kind: Call['silences']['uniqueNames'][number],
  records: Collection<T>,
  name: string,
): void {
  if (records.named(name) !== undefined && silences.uniqueNames.includes(kind)) throw new Refusal('nameUsed');
}

function created(call: Call, json: unknown): Answer {
  return { status: call.silences.createdStatus, json };
}

function listing(call: Call, records: readonly unknown[]): Answer {
  const none = records.length === 0 && call.silences.emptyListing === 'null';
  return { status: call.silences.successStatus, json: none ? null : records };
}

function deleted(call: Call, kind: string): Answer {
  return acknowledged(call, `${kind} was deleted`);
}

function acknowledged(call: Call, message: string): Answer {
  return { status: call.silences.successStatus, json: { status: 'success', message } };
}
