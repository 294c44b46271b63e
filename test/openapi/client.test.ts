import { expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { calls } from '../operations.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';

test.each(calls)(
  'a client with strict validation accepts the response of the sandbox: $title',
  async ({ call }) => {
    const sandbox = createSandbox(sandboxForEveryOperation);
    const client = new EmailMarketingClient({
      baseUrl: 'https://sandbox.test',
      apiKey: sandbox.apiKey,
      teamId: sandbox.teamId,
      fetch: sandbox.fetch,
      validation: 'strict',
      maxRetries: 0,
    });
    const value = await call(client);
    expect(value).toBeDefined();
    expect(value).not.toEqual([]);
    expect(sandbox.requests).toHaveLength(1);
    expect(sandbox.requests[0]?.status).toBe(200);
  },
);
