import type { Sandbox, Seed } from 'email-marketing-client/testing';

/** What the guides' examples call the service, the key and the team. */
export const shown = {
  hosts: ['https://api.example.com/', 'https://app.example.com/'],
  apiKey: 'your-key',
  teamId: 'your-team',
};

/** Records that the guides' examples expect. */
export const seed: Seed = {
  customFields: [{ name: 'points', type: 'number' }],
  lists: 4,
  tags: 3,
  senders: 3,
  postTags: 3,
  contacts: 100,
  templates: [{ id: 'template_7hK2mQ9xB4nT6vR1sW8zLp', name: 'Old welcome' }],
  campaigns: [{ id: 'campaign_3fD8kM1vX6bN9qT4wZ7yRs', name: 'Draft of May' }],
};

/** Adds the contact that the guides' examples name. */
export const addShownContact = (sandbox: Sandbox) =>
  sandbox.state.contacts.add({ email: 'ada@example.com', firstName: 'Ada' });
