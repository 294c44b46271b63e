import { scryptSync } from 'node:crypto';
import { UsageError } from './command-line.ts';

/** Account that a command works with. Journals and checkpoints hold it, so that none is resumed on another account. */
export interface Account {
  /** Address of the REST interface, without its scheme. */
  readonly rest: string;
  /** Address of the legacy interface. */
  readonly legacy: string;
  /** Id of the team; empty if none is set. */
  readonly team: string;
  /** Slow hash of both keys. */
  readonly keys: string;
}

/** @throws UsageError that names every variable that is missing: address, key and `others`. */
export function requireVariables(others: readonly string[] = []): void {
  const names = ['EMAIL_MARKETING_BASE_URL', 'EMAIL_MARKETING_API_KEY', ...others];
  const missing = names.filter(name => !process.env[name]);
  if (missing.length > 0)
    throw new UsageError(`set ${missing.join(', ')}: environment variables that --help explains`);
}

const hashBytes = 16;

/** Returns the account that the environment variables name, which a client has checked. */
export function accountOfEnvironment(): Account {
  const { env } = process;
  const [url = '', key = ''] = [env.EMAIL_MARKETING_BASE_URL, env.EMAIL_MARKETING_API_KEY];
  const rest = addressOf(url);
  const legacy = addressOf(env.EMAIL_MARKETING_LEGACY_BASE_URL || url);
  const team = env.EMAIL_MARKETING_TEAM_ID ?? '';
  const keys = JSON.stringify([key, env.EMAIL_MARKETING_LEGACY_API_KEY || key]);
  const salt = JSON.stringify([rest, legacy, team]);
  return { rest, legacy, team, keys: scryptSync(keys, salt, hashBytes).toString('hex') };
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}

/** Returns the account as text: where its contacts are read and written. */
function accountText({ rest, legacy, team }: Account): string {
  const hosts = rest === legacy ? rest : `${rest} and ${legacy}`;
  return team === '' ? hosts : `${hosts}, team ${team}`;
}

/**
 * @param advice What to do about a record of another account.
 * @param keyAdvice What to do about a record of another key of the same team; absent if a new key is fine.
 * @throws UsageError if what `path` records belongs to another account.
 */
export function requireSameAccount(
  path: string,
  earlier: Account,
  now: Account,
  advice: string,
  keyAdvice?: string,
): void {
  const [before, after] = [accountText(earlier), accountText(now)];
  if (before !== after) throw new UsageError(`${path} belongs to ${before}, and this is ${after}: ${advice}`);
  if (keyAdvice !== undefined && earlier.keys !== now.keys)
    throw new UsageError(`${path} belongs to another key of ${after}: ${keyAdvice}`);
}
