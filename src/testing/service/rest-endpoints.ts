import { literalOrType } from '../../core/json.ts';
import { ErrorResponse, malformed, type ServiceResponse, unknown } from './error-response.ts';
import { containing, page, readPaging } from './paging.ts';
import { collectionOf } from './read-fields.ts';
import {
  type ContactRecord,
  isHostname,
  isId,
  type KindName,
  type ListRecord,
  recordKinds,
} from './record-kinds.ts';
import {
  acknowledged,
  type EndpointTable,
  objectBody,
  type RequestHandler,
  recordOf,
  requiredText,
  type ServiceRequest,
  success,
  textMap,
} from './service-request.ts';
import { contactView, domainText, restView } from './view.ts';

/** Handler that creates a record with a name. */
const create =
  (kind: KindName): RequestHandler =>
  call =>
    success(restView(kind, collectionOf(call.state, kind).insert({ name: newName(call, kind) })));

/** Handler that responds with every record of a kind. */
const listAll =
  (kind: KindName): RequestHandler =>
  call =>
    success(collectionOf(call.state, kind).all.map(record => restView(kind, record)));

/** `POST /domain`. */
function createDomain(call: ServiceRequest): ServiceResponse {
  const name = newName(call, 'domains');
  if (!isHostname(name)) throw malformed('"name" must be a domain name of ASCII letters, digits and hyphens');
  const domain = call.state.domains.insert({ name });
  return { ...success(undefined), text: domainText(domain) };
}

/** `GET /list`: an array of the lists that are not deleted. */
function getLists(call: ServiceRequest): ServiceResponse {
  const { listPageCap: cap, order } = call.ambiguities;
  const paging = readPaging(call, { cap, searchParameter: 'search', searchMax: 100 });
  const hit = containing(paging.search);
  const isListed = (list: ListRecord) => !list.deleted && hit(list.name);
  const lists = page(call.state.lists.all, paging, order, isListed);
  return success(lists.map(list => restView('lists', list)));
}

/** `DELETE /list/{identifier}`: its data and contacts are kept. */
function deleteList(call: ServiceRequest): ServiceResponse {
  if (call.body !== '') objectBody(call, []);
  const { identifier = '' } = call.params;
  if (!isId(identifier, 'list_') && !isId(identifier, ''))
    throw malformed('the identifier must be 22 letters or digits, with or without list_');
  const list = call.state.lists.get(identifier);
  if (list === undefined || list.deleted)
    throw unknown(list === undefined ? 'no list has this id' : 'the list is deleted');
  if (list.system) throw undeletable('system lists can not be deleted', '10.4');
  call.state.lists.assign(list, { deleted: true });
  return acknowledged('list was deleted');
}

/** `DELETE /tag/{identifier}`: it is removed from its contacts too. */
function deleteTag(call: ServiceRequest): ServiceResponse {
  call.state.tags.delete(recordOf(call, call.state.tags).id);
  return acknowledged('tag was deleted');
}

/** `GET /contact`: an array of contacts. */
function getContacts(call: ServiceRequest): ServiceResponse {
  const { contactPageCap: cap, contactSearchParameter: searchParameter, order } = call.ambiguities;
  const paging = readPaging(call, { cap, searchParameter, searchMax: 255 });
  const hit = containing(paging.search);
  const isFound = ({ firstName, lastName, email }: ContactRecord) =>
    hit(firstName) || hit(lastName) || hit(email);
  const contacts = page(
    call.state.contacts.all,
    paging,
    order,
    paging.search === undefined ? undefined : isFound,
  );
  return success(contacts.map(contact => contactView(contact, call.ambiguities)));
}

/** `GET /post/tag/{identifier}`. */
function getPostTag(call: ServiceRequest): ServiceResponse {
  return success(restView('postTags', recordOf(call, call.state.postTags)));
}

/** `DELETE /template/email/{identifier}`. */
function deleteTemplate(call: ServiceRequest): ServiceResponse {
  const template = recordOf(call, call.state.templates);
  const user = call.state.campaigns.all.find(
    ({ template: used, state }) =>
      used === template.id && (state === 'active' || state === 'scheduled' || state === 'sending'),
  );
  if (user !== undefined) throw undeletable('template is used in an active or scheduled campaign', '12.1');
  if (template.system) throw undeletable('system and default templates can not be deleted', '12.1');
  if (template.shared) throw undeletable('template is shared with other teams', '12.1');
  call.state.templates.delete(template.id);
  return acknowledged('template was deleted');
}

/** `DELETE /campaign/{identifier}`. */
function deleteCampaign(call: ServiceRequest): ServiceResponse {
  const { id, state } = recordOf(call, call.state.campaigns);
  if (state === 'sent' || state === 'sending' || state === 'scheduled')
    throw undeletable(`a ${state} campaign can not be deleted`, '12.2');
  call.state.campaigns.delete(id);
  return acknowledged('campaign was deleted');
}

/** `POST /events/custom`. */
function recordEvent(call: ServiceRequest): ServiceResponse {
  const body = objectBody(call, ['name', 'identifier', 'data', 'time']);
  const { time = Math.floor(call.now().getTime() / 1000) } = body;
  if (typeof time !== 'number' || !Number.isSafeInteger(time))
    throw malformed('"time" must be in whole Unix seconds');
  const name = requiredText(body, 'name');
  const identifier = requiredText(body, 'identifier');
  const data = Object.fromEntries(textMap(body, 'data'));
  const contact = call.state.contacts.get(identifier) ?? call.state.contacts.named(identifier);
  if (contact === undefined && call.ambiguities.eventOfUnknownContact === 'refuse')
    throw unknown('no contact has this id or email');
  call.state.events.insert({ name, identifier, contact: contact?.id ?? '', data, time });
  return acknowledged('event tracked');
}

/** Every endpoint of the REST interface, by method and path. */
export const restEndpoints = {
  'POST /domain': ['domains.create', createDomain],
  'POST /list': ['lists.create', create('lists')],
  'GET /list': ['lists.list', getLists],
  'DELETE /list/{identifier}': ['lists.delete', deleteList],
  'POST /tag': ['tags.create', create('tags')],
  'DELETE /tag/{identifier}': ['tags.delete', deleteTag],
  'GET /contact': ['contacts.list', getContacts],
  'GET /post/tag': ['postTags.list', listAll('postTags')],
  'GET /post/tag/{identifier}': ['postTags.get', getPostTag],
  'POST /post/category': ['postCategories.create', create('postCategories')],
  'GET /sender': ['senders.list', listAll('senders')],
  'DELETE /template/email/{identifier}': ['templates.delete', deleteTemplate],
  'DELETE /campaign/{identifier}': ['campaigns.delete', deleteCampaign],
  'POST /events/custom': ['events.record', recordEvent],
} as const satisfies EndpointTable;

function undeletable(message: string, rule: string): ErrorResponse {
  return new ErrorResponse('undeletable', { message, rule });
}

/** Returns the name in the body. Throws if it is in use and must be unique. */
function newName(call: ServiceRequest, kind: KindName): string {
  const name = requiredText(objectBody(call, ['name']), 'name');
  const { unique, singular } = recordKinds[kind];
  if (!unique || call.state[kind].named(name) === undefined) return name;
  const reason = `a ${singular} named ${literalOrType(name)} already exists`;
  throw new ErrorResponse('nameUsed', { reason, rule: kind === 'tags' ? '10.2' : '3.2' });
}
