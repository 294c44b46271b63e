/** workerd: the body of a request contains the addresses. */
import * as library from 'email-marketing-client';
import { probe } from './network-errors-probe.mjs';

export default {
  fetch: async request => Response.json(await probe(library, await request.json())),
};
