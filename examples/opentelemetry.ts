/** One span per call, and one child span per attempt, with the OpenTelemetry that the process has set up. */
import { EmailMarketingClient } from 'email-marketing-client';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';

const client = new EmailMarketingClient({ hooks: openTelemetryHooks() });
console.log((await client.lists.list()).length);
