import { type ClientOptions, EmailMarketingClient } from '../index.ts';
import { UsageError, variables } from './command-line.ts';
import type { Context, Environment } from './surroundings.ts';
import { waitLogger } from './terminal.ts';

/**
 * Creates the client of a command from the environment. The client checks the values, which can be any text.
 * @throws UsageError that names all missing variables: address, key and `others`.
 */
export function createClient(
  context: Context,
  others: readonly string[] = [],
  options: ClientOptions = {},
): EmailMarketingClient {
  const { env } = context;
  const names = ['EMAIL_MARKETING_BASE_URL', 'EMAIL_MARKETING_API_KEY', ...others];
  const missing = names.filter(name => !env[name]);
  if (missing.length > 0)
    throw new UsageError(`Set ${missing.join(', ')} in the environment (see --help).`, 'environment');
  const given = variables.flatMap(([name, option]) => (env[name] ? [[option, env[name]]] : []));
  return new EmailMarketingClient({
    ...Object.fromEntries(given),
    onDrift: () => {},
    logger: waitLogger(context),
    ...options,
  });
}

/** Returns the address of the REST interface, without the scheme. Create a client first: it checks the variables. */
export const restAddress = (env: Environment): string => addressOf(env.EMAIL_MARKETING_BASE_URL ?? '');

/**
 * Returns the account of the legacy interface as a string: the team that every request names, and the address. Returns an
 * empty string if the environment does not name both.
 */
export function legacyAccount(env: Environment): string {
  const { EMAIL_MARKETING_BASE_URL, EMAIL_MARKETING_LEGACY_BASE_URL, EMAIL_MARKETING_TEAM_ID: team } = env;
  const url = EMAIL_MARKETING_LEGACY_BASE_URL || EMAIL_MARKETING_BASE_URL || '';
  return team && URL.canParse(url) ? `team ${team} at ${addressOf(url)}` : '';
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}
