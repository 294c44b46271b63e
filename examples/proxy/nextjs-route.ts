/** The proxy in Next.js: `app/api/email-marketing/route.ts`. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler } from 'email-marketing-client/proxy';
import { options } from './authorize.ts';

export const POST = createProxyHandler(new EmailMarketingClient(), options);
