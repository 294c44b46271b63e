import type { ClientOptions } from '../index.ts';
import { UsageError, variables } from './command-line.ts';
import type { Context, Environment } from './surroundings.ts';

/** Account of an export. Its checkpoint contains it, so that it is not resumed on another one. */
export interface Account {
  /** Address of the REST interface, without the scheme. */
  readonly rest: string;
  /** Hash of the key, slow to guess: it alone says which team it is. */
  readonly key: string;
}

/** @throws UsageError that names all missing variables: address, key and `others`. */
export function requireVariables(env: Environment, others: readonly string[] = []): void {
  const names = ['EMAIL_MARKETING_BASE_URL', 'EMAIL_MARKETING_API_KEY', ...others];
  const missing = names.filter(name => !env[name]);
  if (missing.length > 0)
    throw new UsageError(`set ${missing.join(', ')} in the environment (see --help)`, 'environment');
}

/** Returns the options of a client that the environment sets. The client checks them: they can be any text. */
export function clientOptions(env: Environment): ClientOptions {
  const options: Record<string, unknown> = Object.fromEntries(
    variables.flatMap(([name, option]) => (option && env[name] ? [[option, env[name]]] : [])),
  );
  const allowHttp = options.dangerouslyAllowHttp;
  if (allowHttp === 'true' || allowHttp === 'false') options.dangerouslyAllowHttp = allowHttp === 'true';
  return options;
}

/** Returns the address of the REST interface. Create a client first: it checks the variables. */
export const restAddress = (env: Environment): string => addressOf(env.EMAIL_MARKETING_BASE_URL ?? '');

/** Returns the account of the REST interface. */
export async function restAccount({ env, hash }: Context): Promise<Account> {
  const rest = restAddress(env);
  return { rest, key: await hash(env.EMAIL_MARKETING_API_KEY ?? '', rest) };
}

/** Returns the account of the legacy interface, as a text: the address, and the team that every request names. */
export function legacyAccount(env: Environment): string {
  const { EMAIL_MARKETING_BASE_URL: url, EMAIL_MARKETING_LEGACY_BASE_URL: legacyUrl } = env;
  return `${addressOf(legacyUrl || url || '')}, team ${env.EMAIL_MARKETING_TEAM_ID}`;
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}

/** @throws UsageError if the checkpoint at `path` belongs to another account. */
export function requireSameAccount(path: string, earlier: Account, now: Account): void {
  const advice = 'delete it to start over';
  if (earlier.rest !== now.rest)
    throw new UsageError(`${path} belongs to ${earlier.rest}, but this is ${now.rest}: ${advice}`, 'account');
  if (earlier.key !== now.key)
    throw new UsageError(`${path} was written with another key of ${now.rest}: ${advice}`, 'account');
}
