/** workerd: the body of a request is an array of what to run, `scenario` or `probe`, and its argument. */
import * as library from 'email-marketing-client';
import { probe } from './probe.mjs';
import { scenario } from './scenario.mjs';

/** A worker's requests cannot share the limits of a client. */
function rejectsLimits() {
  try {
    return !new library.EmailMarketingClient({ apiKey: 'key', throttle: { concurrency: 1 } });
  } catch (error) {
    return /Cloudflare Workers/.test(error.message);
  }
}

export default {
  async fetch(request) {
    if (!rejectsLimits()) throw new Error('The client does not know that it runs in a worker.');
    const [name, argument] = await request.json();
    return Response.json(await { scenario, probe }[name](library, argument));
  },
};
