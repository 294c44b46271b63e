// Clients whose requests the test responds to.
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';

/** A request that creates a tag of this name, `at` milliseconds after the client was created. */
export interface Sent {
  readonly name: string;
  readonly at: number;
  readonly respond: (response?: Response) => void;
}

/** Creates a client whose requests wait until the test responds. */
export function withManualResponses(options: ClientOptions) {
  const sent: Sent[] = [];
  const started = performance.now();
  const client = clientWith(options, init => {
    const { name } = JSON.parse(String(init.body));
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      sent.push({
        name,
        at: performance.now() - started,
        respond: (response = created()) => resolve(response),
      });
    });
  });
  return { sent, client };
}

/** Creates a client whose requests get a response at once. */
export function withImmediateResponses(options: ClientOptions, responses: Response[] = []) {
  const sent: Pick<Sent, 'name' | 'at'>[] = [];
  const started = performance.now();
  const client = clientWith(options, async init => {
    sent.push({ name: JSON.parse(String(init.body)).name, at: performance.now() - started });
    return responses.shift() ?? created();
  });
  return { sent, client };
}

const clientWith = (options: ClientOptions, respond: (init: RequestInit) => Promise<Response>) =>
  new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    logLevel: 'off',
    fetch: (_url, init) => respond(init ?? {}),
    ...options,
  });

const created = () => Response.json({ id: 'tag_1', name: 'n', created: '', updated: '' });

export const refused = (status: number, retryAfter: string) =>
  Response.json({ status: 'error', message: 'later' }, { status, headers: { 'retry-after': retryAfter } });

export const create = (client: EmailMarketingClient, names: readonly string[]) =>
  Promise.allSettled(names.map(name => client.tags.create({ name })));

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

export const names = (sent: readonly Pick<Sent, 'name'>[]) => sent.map(({ name }) => name);
