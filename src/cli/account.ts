import { scryptSync } from 'node:crypto';
import type { ClientOptions } from '../index.ts';
import { UsageError, variables } from './command-line.ts';
import type { Environment } from './surroundings.ts';

/** Account of a command. Journals and checkpoints contain it, so that they are not resumed on another one. */
export interface Account {
  /** Addresses of the interfaces, without the scheme. */
  readonly rest: string;
  readonly legacy: string;
  /** Empty if it is not set. */
  readonly team: string;
  /** Hash of both keys, slow to guess. */
  readonly keys: string;
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

/** Returns the account of the environment variables. Create a client first: it checks them. */
export function accountOfEnvironment(env: Environment): Account {
  const [url = '', key = ''] = [env.EMAIL_MARKETING_BASE_URL, env.EMAIL_MARKETING_API_KEY];
  const rest = addressOf(url);
  const legacy = addressOf(env.EMAIL_MARKETING_LEGACY_BASE_URL || url);
  const team = env.EMAIL_MARKETING_TEAM_ID ?? '';
  const keys = JSON.stringify([key, env.EMAIL_MARKETING_LEGACY_API_KEY || key]);
  const salt = JSON.stringify([rest, legacy, team]);
  const hashBytes = 16;
  return { rest, legacy, team, keys: scryptSync(keys, salt, hashBytes).toString('hex') };
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}

function accountText({ rest, legacy, team }: Account): string {
  const hosts = rest === legacy ? rest : `${rest} and ${legacy}`;
  return team === '' ? hosts : `${hosts}, team ${team}`;
}

/** Returns whether two accounts differ at most in their keys. */
export const isSameTeam = (one: Account, other: Account): boolean => accountText(one) === accountText(other);

/**
 * @param advice What to do if the accounts differ.
 * @param keyAdvice What to do if only the keys differ; absent if a new key is accepted.
 * @throws UsageError if the file at `path` belongs to another account.
 */
export function requireSameAccount(
  path: string,
  earlier: Account,
  now: Account,
  advice: string,
  keyAdvice?: string,
): void {
  const [before, after] = [accountText(earlier), accountText(now)];
  if (before !== after)
    throw new UsageError(`${path} belongs to ${before}, but this is ${after}: ${advice}`, 'account');
  if (keyAdvice !== undefined && earlier.keys !== now.keys)
    throw new UsageError(`${path} was written with another key of ${after}: ${keyAdvice}`, 'account');
}
