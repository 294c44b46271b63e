/** workerd: the body of a request contains the address of the sandbox. */
import * as library from 'email-marketing-client';
import { scenario } from './scenario.mjs';

export default {
  fetch: async request => Response.json(await scenario(library, await request.text())),
};
