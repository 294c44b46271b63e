/** A web page identifies its visitor through your own server, which keeps the key. */
import { createServer } from 'node:http';
import { EmailMarketingClient } from 'email-marketing-client';
import { createBrowserClient } from 'email-marketing-client/browser';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';

/** Replace this with your own sessions: the visitor who sent the request. */
const visitor = async (_request: Request) => ({ email: 'ada@example.com' });

// On the server.
const handler = createProxyHandler(new EmailMarketingClient(), {
  allow: ['legacy.identify'],
  authorize: async (request, { input }) => {
    const { email } = await visitor(request);
    // Build the input field by field: a web page could otherwise send `newEmail`, or tags.
    return { input: { firstName: input.firstName, email } };
  },
  // The web page gets only what this returns: the visitor's own address.
  output: { 'legacy.identify': ({ data }) => ({ data: { email: data?.email } }) },
});
const server = createServer(toNodeListener(handler)).listen(0);
await new Promise(resolve => server.once('listening', resolve));
const { port } = server.address() as { port: number };

// In the web page, with the `url` '/api/email-marketing'. Whatever email it sends, the server uses the visitor's.
const client = createBrowserClient({ url: `http://localhost:${port}/api/email-marketing` });
const { data } = await client.legacy.identify({ email: 'somebody@example.com', firstName: 'Ada' });
console.log(data?.email); // ada@example.com

server.closeAllConnections();
server.close();
