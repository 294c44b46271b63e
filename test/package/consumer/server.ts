// A user's server that mounts the proxy on Node.
import { createServer } from 'node:http';
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';

const handler = createProxyHandler(new EmailMarketingClient(), {
  allow: ['legacy.identify', 'contacts.list'],
  authorize: (_, { operation, input }) =>
    operation === 'legacy.identify' && {
      input: { firstName: input.firstName, email: 'ada@example.com' },
    },
  output: { 'contacts.list': contacts => contacts.map(({ id, firstName }) => ({ id, firstName })) },
});
createServer(toNodeListener(handler));
