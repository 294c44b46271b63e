/** The handler in Express 5, before or after `express.json()`. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';
import express from 'express';
import { options } from './authorize.ts';

export const app = express();

app.all('/api/email-marketing', toNodeListener(createProxyHandler(new EmailMarketingClient(), options)));
