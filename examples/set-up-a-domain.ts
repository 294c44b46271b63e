/** A sending domain: create it, and print the DNS records to publish. */
import { ConflictError, EmailMarketingClient } from 'email-marketing-client';

const client = new EmailMarketingClient();

try {
  const domain = await client.domains.create({ name: 'news.example.com' });
  for (const record of [domain.dkim, domain.returnPath, domain.track, domain.dmarc, domain.gpt])
    console.log(record.type, record.host, record.textValue);
} catch (error) {
  if (!ConflictError.isInstance(error)) throw error;
  console.log('That domain is set up already.');
}
