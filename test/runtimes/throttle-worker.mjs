/** workerd: clients with a throttle, made once per isolate. The body of a request holds the address and the throttle. */
import { EmailMarketingClient } from 'email-marketing-client';

const clients = {};

export default {
  async fetch(request) {
    const text = await request.text();
    const { leaves, baseUrl, throttle } = JSON.parse(text);
    const name = JSON.stringify(throttle);
    try {
      clients[name] ??= new EmailMarketingClient({
        baseUrl,
        apiKey: 'sandbox-key',
        logLevel: 'off',
        maxRetries: 0,
        throttle: throttle === 'own' ? { acquire: async () => {} } : throttle,
      });
    } catch (error) {
      return new Response(`${error.name}: ${error.message}`);
    }
    const { senders } = clients[name];
    const calls = [senders.list().safe(), senders.list().safe()];
    if (leaves) return new Response('left');
    const results = await Promise.all(calls);
    return new Response(results.map(({ ok, error }) => (ok ? 'ok' : error.message)).join());
  },
};
