/** The handler in Next.js: `app/api/email-marketing/route.ts`. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler, type ProxyHandler } from 'email-marketing-client/proxy';
import { options } from './authorize.ts';

let handler: ProxyHandler | undefined;

/** Creates the handler at the first request, because `next build` loads this file without a key. */
export function POST(request: Request): Promise<Response> {
  handler ??= createProxyHandler(new EmailMarketingClient(), options);
  return handler(request);
}
