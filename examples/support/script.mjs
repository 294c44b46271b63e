/** What the scripts share: a client, a way to be stopped, and an end that says how to go on. */
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';

/**
 * A client for the service named in the environment (`EMAIL_MARKETING_BASE_URL`, `EMAIL_MARKETING_API_KEY` and, for
 * imports, `EMAIL_MARKETING_TEAM_ID`), or for a sandbox with so many contacts.
 *
 * @param {{ sandboxContacts?: number, options?: import('email-marketing-client').ClientOptions }} [wishes]
 */
export async function openClient({ sandboxContacts, options = {} } = {}) {
  if (sandboxContacts === undefined)
    return { client: new EmailMarketingClient(options), close: async () => {} };
  const sandbox = createSandbox({ seed: { contacts: sandboxContacts } });
  const { url, close } = await sandbox.listen(0);
  console.error(`using a sandbox at ${url}`);
  const { apiKey, teamId } = sandbox;
  return { client: new EmailMarketingClient({ ...options, baseUrl: url, apiKey, teamId }), close };
}

/** A mistake in the command line or in a file, whose message is all there is to say. */
export class UsageError extends Error {}

/**
 * Runs a script, gives it a signal that Ctrl-C aborts, and turns how it ends into an exit code: 0, the number that it
 * returns, 1 after an error, 2 after a wrong command line, or 130 after Ctrl-C (a second one ends it at once).
 *
 * @param {(signal: AbortSignal) => Promise<number | void>} script
 */
export async function runScript(script) {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('stopped')));
  process.once('SIGTERM', () => stop.abort(new Error('stopped')));
  try {
    process.exitCode = (await script(stop.signal)) ?? 0;
  } catch (error) {
    const usage =
      error instanceof UsageError ||
      error.name === 'ConfigurationError' ||
      error.code?.startsWith('ERR_PARSE_ARGS');
    console.error(usage || stop.signal.aborted ? error.message : `${error.name}: ${error.message}`);
    if (!usage) console.error('run the same command again to go on from there');
    process.exitCode = stop.signal.aborted ? 130 : usage ? 2 : 1;
  }
}
