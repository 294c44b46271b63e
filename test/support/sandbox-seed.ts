// A seed with which every call of the table of operations succeeds in the sandbox.
import type { SandboxOptions } from '../../src/testing/index.ts';
import { suffix } from './specified-records.ts';

/** One more list than the call of `lists.list` skips. */
const matchingLists = Array.from({ length: 21 }, (_, index) => ({ name: `a & b/ü+ ${index}` }));

/** Options of a sandbox in which every call of the table of operations succeeds. */
export const sandboxForEveryOperation = {
  ambiguities: { trackOfUnknownContact: 'create' },
  seed: {
    contacts: [
      {
        email: 'zoe+news@example.com',
        firstName: 'Zoë',
        tags: ['new'],
        lists: ['News'],
        customFields: { plan: 'pro' },
      },
    ],
    lists: [{ id: `list_${suffix}`, name: 'News' }, ...matchingLists],
    tags: [{ id: `tag_${suffix}`, name: 'old' }],
    postTags: [{ id: `post_tag_${suffix}`, name: 'post' }],
    senders: 2,
    templates: [{ id: `template_${suffix}` }],
    campaigns: [{ id: `campaign_${suffix}` }],
  },
} satisfies SandboxOptions;
