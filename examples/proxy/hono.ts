/** The handler in Hono. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler } from 'email-marketing-client/proxy';
import { Hono } from 'hono';
import { options } from './authorize.ts';

const handler = createProxyHandler(new EmailMarketingClient(), options);

export const app = new Hono();

app.all('/api/email-marketing', context => handler(context.req.raw));
