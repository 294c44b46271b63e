/** A person signs up: create or update the contact, count the sign-up, and record an event. */
import { EmailMarketingClient, increment } from 'email-marketing-client';

const client = new EmailMarketingClient();

const { data } = await client.legacy.identify({
  email: 'grace@example.com',
  firstName: 'Grace',
  tags: ['trial'],
  customFields: { plan: 'pro', points: increment(10) }, // `points` is a field of type number
});
console.log(data?.email, data?.customFields);

await client.events.record({
  name: 'signed up',
  identifier: 'grace@example.com',
  data: { page: '/pricing' },
  time: new Date(),
});
