/** The handler on `node:http`. */
import { createServer } from 'node:http';
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';
import { options } from './authorize.ts';

const listener = toNodeListener(createProxyHandler(new EmailMarketingClient(), options));

export const server = createServer((request, response) => {
  if (request.url === '/api/email-marketing') listener(request, response);
  else response.writeHead(404).end();
});
