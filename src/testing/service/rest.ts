import {
  acknowledged,
  type Call,
  created,
  endpoint,
  isIdentifier,
  listing,
  notAnIdentifier,
  objectBody,
  optionalText,
  recordOf,
  requiredText,
  textMap,
} from './call.ts';
import type { Collection } from './collection.ts';
import { ErrorResponse, malformed, type ServiceResponse, unknown } from './error-response.ts';
import { containing, page, readPaging } from './paging.ts';
import { isHostname } from './records.ts';
import { contactView, domainText, listView, namedView, senderView } from './view.ts';

/** `POST /domain`. */
function createDomain(call: Call): ServiceResponse {
  const name = requiredText(objectBody(call), 'name');
  if (!isHostname(name)) throw malformed('"name" must be a domain name of ASCII letters, digits and hyphens');
  rejectUsedName(call, 'domain', call.state.domains, name);
  const domain = call.state.domains.insert({ name });
  return { status: call.ambiguities.createdStatus, json: undefined, text: domainText(domain) };
}

/** `POST /list`. */
function createList(call: Call): ServiceResponse {
  const name = requiredText(objectBody(call), 'name');
  rejectUsedName(call, 'list', call.state.lists, name);
  return created(call, listView(call.state.lists.insert({ name })));
}

/** `GET /list`: an array of the lists that are not deleted. */
function getLists(call: Call): ServiceResponse {
  const paging = readPaging(call, {
    cap: call.ambiguities.listPageCap,
    defaultLimit: call.ambiguities.listDefaultLimit,
    searchParameter: 'search',
    searchMax: 100,
  });
  const hit = paging.search === undefined ? () => true : containing(paging.search);
  const lists = page(
    call.state.lists.all,
    paging,
    call.ambiguities.order,
    list => !list.deleted && hit(list.name),
  );
  return listing(call, lists.map(listView));
}

/** `DELETE /list/{identifier}`: its data and contacts are kept. */
function deleteList(call: Call): ServiceResponse {
  if (call.body !== '') objectBody(call);
  const { identifier = '' } = call.params;
  if (!isIdentifier(identifier, 'list_')) throw malformed(notAnIdentifier('list_'));
  const list = call.state.lists.get(identifier);
  if (list === undefined || list.deleted)
    throw unknown(list === undefined ? 'no list has this id' : 'the list is deleted');
  if (list.system) throw undeletable('system lists can not be deleted', '10.4');
  call.state.lists.assign(list, { deleted: true });
  return acknowledged(call, 'list was deleted');
}

/** `POST /tag`. */
function createTag(call: Call): ServiceResponse {
  const name = requiredText(objectBody(call), 'name');
  rejectUsedName(call, 'tag', call.state.tags, name);
  return created(call, namedView(call.state.tags.insert({ name })));
}

/** `DELETE /tag/{identifier}`: removes it from contacts too. */
function deleteTag(call: Call): ServiceResponse {
  const { id } = recordOf(call, call.state.tags, 'tag_');
  call.state.tags.delete(id);
  for (const contact of call.state.contacts)
    if (contact.tags.includes(id)) contact.tags = contact.tags.filter(tag => tag !== id);
  return acknowledged(call, 'tag was deleted');
}

/** `GET /contact`: an array of contacts. */
function getContacts(call: Call): ServiceResponse {
  const paging = readPaging(call, {
    cap: call.ambiguities.contactPageCap,
    defaultLimit: Math.min(10, call.ambiguities.contactPageCap),
    searchParameter: call.ambiguities.contactSearchParameter,
    searchMax: 255,
  });
  const hit = paging.search === undefined ? undefined : containing(paging.search);
  const contacts = page(
    call.state.contacts.all,
    paging,
    call.ambiguities.order,
    hit && (contact => hit(contact.firstName) || hit(contact.lastName) || hit(contact.email)),
  );
  return listing(
    call,
    contacts.map(contact => contactView(contact, call.ambiguities)),
  );
}

/** `GET /post/tag`: every post tag. */
function getPostTags(call: Call): ServiceResponse {
  return listing(call, call.state.postTags.all.map(namedView));
}

/** `GET /post/tag/{identifier}`. */
function getPostTag(call: Call): ServiceResponse {
  return {
    status: call.ambiguities.successStatus,
    json: namedView(recordOf(call, call.state.postTags, 'post_tag_')),
  };
}

/** `POST /post/category`. */
function createPostCategory(call: Call): ServiceResponse {
  const name = requiredText(objectBody(call), 'name');
  rejectUsedName(call, 'postCategory', call.state.postCategories, name);
  return created(call, namedView(call.state.postCategories.insert({ name })));
}

/** `GET /sender`: every sender. */
function getSenders(call: Call): ServiceResponse {
  return listing(call, call.state.senders.all.map(senderView));
}

/** `DELETE /template/email/{identifier}`. */
function deleteTemplate(call: Call): ServiceResponse {
  const template = recordOf(call, call.state.templates, 'template_');
  const user = call.state.campaigns.all.find(
    ({ template: used, state }) =>
      used !== '' &&
      (used === template.id || used === template.name) &&
      (state === 'active' || state === 'scheduled' || state === 'sending'),
  );
  if (user !== undefined) throw undeletable('template is used in an active or scheduled campaign', '12.1');
  if (template.system) throw undeletable('system and default templates can not be deleted', '12.1');
  if (template.shared) throw undeletable('template is shared with other teams', '12.1');
  call.state.templates.delete(template.id);
  return acknowledged(call, 'template was deleted');
}

/** `DELETE /campaign/{identifier}`. */
function deleteCampaign(call: Call): ServiceResponse {
  const { identifier = '' } = call.params;
  const known = isIdentifier(identifier, 'campaign_') && call.state.campaigns.get(identifier) !== undefined;
  if (!known && call.ambiguities.unknownCampaign === 'succeed')
    return acknowledged(call, 'campaign was deleted');
  const { id, state } = recordOf(call, call.state.campaigns, 'campaign_');
  if (state === 'sent' || state === 'sending' || state === 'scheduled')
    throw undeletable(`a ${state} campaign can not be deleted`, '12.2');
  call.state.campaigns.delete(id);
  return acknowledged(call, 'campaign was deleted');
}

/** `POST /events/custom`. */
function recordEvent(call: Call): ServiceResponse {
  const body = objectBody(call);
  for (const member of call.ambiguities.eventRequires)
    if (!Object.hasOwn(body, member)) throw malformed(`"${member}" is missing`);
  const time = Object.hasOwn(body, 'time') ? body.time : Math.floor(call.now().getTime() / 1000);
  if (typeof time !== 'number' || !Number.isSafeInteger(time))
    throw malformed('"time" must be in whole Unix seconds');
  const identifier = optionalText(body, 'identifier') ?? '';
  const name = optionalText(body, 'name') ?? '';
  const required = { name, identifier };
  for (const member of ['name', 'identifier'] as const)
    if (required[member].trim() === '' && call.ambiguities.eventRequires.includes(member))
      throw malformed(`"${member}" is blank`);
  const data = Object.fromEntries(textMap(body, 'data'));
  const contact = call.state.contacts.get(identifier) ?? call.state.contacts.named(identifier);
  if (contact === undefined && call.ambiguities.eventOfUnknownContact === 'refuse')
    throw unknown('no contact has this id or email');
  call.state.events.insert({ name, identifier, contact: contact?.id ?? '', data, time });
  return acknowledged(call, 'event tracked');
}

/** Every endpoint of the REST interface, by method and path. */
export const restEndpoints = {
  'POST /domain': endpoint('domains.create', createDomain),
  'POST /list': endpoint('lists.create', createList),
  'GET /list': endpoint('lists.list', getLists),
  'DELETE /list/{identifier}': endpoint('lists.delete', deleteList),
  'POST /tag': endpoint('tags.create', createTag),
  'DELETE /tag/{identifier}': endpoint('tags.delete', deleteTag),
  'GET /contact': endpoint('contacts.list', getContacts),
  'GET /post/tag': endpoint('postTags.list', getPostTags),
  'GET /post/tag/{identifier}': endpoint('postTags.get', getPostTag),
  'POST /post/category': endpoint('postCategories.create', createPostCategory),
  'GET /sender': endpoint('senders.list', getSenders),
  'DELETE /template/email/{identifier}': endpoint('templates.delete', deleteTemplate),
  'DELETE /campaign/{identifier}': endpoint('campaigns.delete', deleteCampaign),
  'POST /events/custom': endpoint('events.record', recordEvent),
};

function undeletable(message: string, rule: string): ErrorResponse {
  return new ErrorResponse('undeletable', { message, rule });
}

function rejectUsedName<T extends { readonly id: string }>(
  { ambiguities }: Call,
  kind: Call['ambiguities']['uniqueNames'][number],
  records: Collection<T>,
  name: string,
): void {
  if (records.named(name) === undefined || !ambiguities.uniqueNames.includes(kind)) return;
  const reason = `a ${kind} named ${JSON.stringify(name.slice(0, 50))} already exists`;
  throw new ErrorResponse('nameUsed', { reason, rule: kind === 'tag' ? '10.2' : '3.2' });
}
