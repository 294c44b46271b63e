/** A web page without a key, whose server is the proxy. */
import { ConflictError, createBrowserClient } from 'email-marketing-client/browser';

globalThis.run = async () => {
  const client = createBrowserClient({ url: '/api/email-marketing' });
  await client.tags.create({ name: 'vip' });
  const conflict = await client.tags.create({ name: 'vip' }).catch(error => error);
  const refused = await client.senders.list().catch(error => error);
  const { message } = await client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada' });
  return [conflict instanceof ConflictError, conflict.response.status, refused.name, typeof message];
};
