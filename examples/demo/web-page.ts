import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBrowserClient } from 'email-marketing-client/browser';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';
import type { Demo } from './main.ts';

/** Calls as a web page does: through a handler on a server, which has the key. */
export async function callFromPage({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('A sign-up from a web page, which has no key');
  const handler = await stage.run(() =>
    createProxyHandler(client, {
      allow: ['legacy.identify'],
      authorize: (_request, { input: { email } }) => ({ input: { email, tags: ['newsletter'] } }),
    }),
  );
  const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const page = createBrowserClient({ url: `http://127.0.0.1:${port}/api/email-marketing` });
  const { status } = await stage.run(() =>
    page.legacy.identify({ email: 'grace@example.com', tags: ['vip'] }),
  );
  stage.print(status);
  const grace = sandbox.state.contacts.named('grace@example.com');
  stage.check('the page signed up with the tag that the server chose', `${grace?.tagNames}` === 'newsletter');
  const listing = await stage.run(() => page.contacts.list().safe());
  stage.print(`${listing.ok ? 'a list' : listing.error}`);
  stage.check('the handler denies a call that it does not allow', !listing.ok);
  server.closeAllConnections();
  server.close();
}
