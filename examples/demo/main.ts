// Shows the client at work against the sandbox as an HTTP server: `npm run demo`. Each step prints its code and its result.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox, type Sandbox } from 'email-marketing-client/testing';
import { fail, loseResponse, retry, signUp } from './calls.ts';
import { exportFile, importFile } from './files.ts';
import { changeMany, readAll } from './many-contacts.ts';
import { Stage } from './stage.ts';
import { callFromPage } from './web-page.ts';

/** What every step of the demo uses. */
export interface Demo {
  readonly client: EmailMarketingClient;
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  /** Environment of the commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder of the demo's files. */
  readonly folder: string;
  readonly stage: Stage;
}

const sandbox = createSandbox({ seed: { contacts: 1000, senders: 2 } });
const server = await sandbox.listen();
const stage = new Stage();
const { apiKey, teamId } = sandbox;
const baseUrl = server.url;
const client = new EmailMarketingClient({ baseUrl, apiKey, teamId });
const folder = await mkdtemp(join(tmpdir(), 'email-marketing-demo-'));
const environment = {
  EMAIL_MARKETING_BASE_URL: baseUrl,
  EMAIL_MARKETING_API_KEY: apiKey,
  EMAIL_MARKETING_TEAM_ID: teamId,
};
const demo: Demo = { client, baseUrl, sandbox, environment, folder, stage };

console.log(`The sandbox simulates the service in memory, at ${baseUrl}.`);
try {
  for (const step of [
    signUp,
    retry,
    loseResponse,
    readAll,
    changeMany,
    callFromPage,
    fail,
    importFile,
    exportFile,
  ])
    await step(demo);
} catch (error) {
  console.error(error);
  stage.check('the demo ran to its end', false);
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
process.exitCode = stage.summary() ? 0 : 1;
