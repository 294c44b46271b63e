// The server of the benchmarks, in its own process. Started by measure.ts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contactsText, idOf } from './contacts.ts';

const created = { created: '2025-03-14T09:26:53Z', updated: '2025-03-14T09:26:53Z' };
const tag = JSON.stringify({
  id: idOf('tag_', 1),
  name: 'customers',
  color: 'red',
  success: true,
  ...created,
});
const identified = JSON.stringify({
  status: 'success',
  message: 'Contact identified',
  data: {
    encryptedTeamId: 'Zm9v',
    encryptedId: 'YmFy',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@customers.example',
    company: 'Analytical Engines',
    birthday: '1815-12-10',
    tags: ['customer'],
    customFields: { plan: 'pro' },
  },
});

/** Contacts in the account; the first page of each kind is asked for again and again. */
let total = 1_000_000;
const firstPage = contactsText(0, 100);

/** What each client's own listing looks like around the same 100 contacts. */
function page(url: URL): { text: string; link?: string } {
  const query = url.searchParams;
  const number = Number(query.get('page') ?? '1');
  const after = query.get('starting_after');
  const offset = after ? Number(after.slice(-22)) + 1 : Number(query.get('offset') ?? (number - 1) * 100);
  const count = Math.max(0, Math.min(100, Number(query.get('limit') ?? '100'), total - offset));
  const contacts = offset === 0 && count === 100 ? firstPage : contactsText(offset, count);
  const more = offset + count < total;
  if (url.pathname === '/brevo/contacts') return { text: `{"contacts":${contacts},"count":${total}}` };
  if (url.pathname === '/customers' || url.pathname.includes('/find')) return { text: contacts };
  if (!url.pathname.endsWith('/contact'))
    return { text: `{"object":"list","url":"/v1/customers","has_more":${more},"data":${contacts}}` };
  const next = `<http://${url.host}/contact?per_page=100&page=${number + 1}>; rel="next"`;
  return more && query.has('per_page') ? { text: contacts, link: next } : { text: contacts };
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const isPage = request.method === 'GET';
  const { text, link } = isPage ? page(url) : { text: url.pathname.endsWith('/identify') ? identified : tag };
  if (link) response.setHeader('link', link);
  response.statusCode = request.method === 'POST' && url.pathname === '/tags' ? 201 : 200;
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

const server = createServer((request, response) => {
  request.resume().on('end', () => respond(request, response));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('message', message => {
  total = Number(message);
  process.send?.('ready');
});
process.on('disconnect', () => process.exit());
