/** Creates one span per call and one child span per attempt, with the process's OpenTelemetry setup. */
import { EmailMarketingClient } from 'email-marketing-client';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';

const client = new EmailMarketingClient({ hooks: openTelemetryHooks() });
console.log((await client.lists.list()).length);
