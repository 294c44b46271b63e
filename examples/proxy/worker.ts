/** The handler in a worker, such as Cloudflare's: the key is a secret of the worker's environment. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createProxyHandler } from 'email-marketing-client/proxy';
import { options } from './authorize.ts';

interface Environment {
  readonly EMAIL_MARKETING_BASE_URL: string;
  readonly EMAIL_MARKETING_API_KEY: string;
  readonly EMAIL_MARKETING_TEAM_ID: string;
}

let handler: ((request: Request) => Promise<Response>) | undefined;

const worker = {
  fetch(request: Request, environment: Environment): Promise<Response> {
    handler ??= createProxyHandler(
      new EmailMarketingClient({
        baseUrl: environment.EMAIL_MARKETING_BASE_URL,
        apiKey: environment.EMAIL_MARKETING_API_KEY,
        teamId: environment.EMAIL_MARKETING_TEAM_ID,
      }),
      options,
    );
    return handler(request);
  },
};

export default worker;
