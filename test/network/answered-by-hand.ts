import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';

/** A request for a tag of this name, `at` milliseconds after the client was made. */
export interface Sent {
  readonly name: string;
  readonly at: number;
  readonly answer: (response?: Response) => void;
}

/** A client whose requests are kept, to be answered by hand. */
export function held(options: ClientOptions) {
  const sent: Sent[] = [];
  const started = performance.now();
  const client = clientWith(options, init => {
    const { name } = JSON.parse(String(init.body));
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      sent.push({
        name,
        at: performance.now() - started,
        answer: (response = created()) => resolve(response),
      });
    });
  });
  return { sent, client };
}

/** The same, answered at once. */
export function prompt(options: ClientOptions, answers: Response[] = []) {
  const sent: Pick<Sent, 'name' | 'at'>[] = [];
  const started = performance.now();
  const client = clientWith(options, async init => {
    sent.push({ name: JSON.parse(String(init.body)).name, at: performance.now() - started });
    return answers.shift() ?? created();
  });
  return { sent, client };
}

const clientWith = (options: ClientOptions, answer: (init: RequestInit) => Promise<Response>) =>
  new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    logLevel: 'off',
    fetch: (_url, init) => answer(init ?? {}),
    ...options,
  });

const created = () => Response.json({ id: 'tag_1', name: 'n', created: '', updated: '' });

export const refused = (status: number, retryAfter: string) =>
  Response.json({ status: 'error', message: 'later' }, { status, headers: { 'retry-after': retryAfter } });

export const create = (client: EmailMarketingClient, names: readonly string[]) =>
  Promise.allSettled(names.map(name => client.tags.create({ name })));

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

export const names = (sent: readonly Pick<Sent, 'name'>[]) => sent.map(({ name }) => name);
