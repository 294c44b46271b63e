import { expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { calls, id } from './calls.ts';

test.each(Object.entries(calls))(
  '%s: the sandbox gives what the client, at its strictest, takes',
  async (_, call) => {
    const sandbox = createSandbox({
      seed: {
        contacts: [
          {
            email: 'a+b@x.test',
            firstName: 'Ada',
            tags: ['new'],
            lists: ['News'],
            customFields: { plan: 'pro' },
          },
        ],
        lists: [{ id: `list_${id}`, name: 'News' }],
        tags: [{ id: `tag_${id}`, name: 'old' }],
        postTags: [{ id: `post_tag_${id}`, name: 'post' }],
        senders: 2,
        templates: [{ id: `template_${id}` }],
        campaigns: [{ id: `campaign_${id}` }],
      },
    });
    const client = new EmailMarketingClient({
      baseUrl: 'https://sandbox.test',
      apiKey: sandbox.apiKey,
      teamId: sandbox.teamId,
      fetch: sandbox.fetch,
      validation: 'strict',
      maxRetries: 0,
    });
    await expect(call(client)).resolves.toBeDefined();
    expect(sandbox.requests).toHaveLength(1);
    expect(sandbox.requests[0]?.status).toBe(200);
  },
);
