import { type Command, Option } from 'commander';
import { UsageError } from './usage-error.ts';

/** Options that would hold a secret, and the environment variable that is read instead. */
const secrets: readonly (readonly [flag: string, variable: string])[] = [
  ['--api-key', 'EMAIL_MARKETING_API_KEY'],
  ['--key', 'EMAIL_MARKETING_API_KEY'],
  ['--token', 'EMAIL_MARKETING_API_KEY'],
  ['--legacy-api-key', 'EMAIL_MARKETING_LEGACY_API_KEY'],
  ['--team-id', 'EMAIL_MARKETING_TEAM_ID'],
];

/** Lines at the end of each command's help: where the address and the keys come from. */
const environmentHelp = `
Environment:
  EMAIL_MARKETING_BASE_URL        address of the service
  EMAIL_MARKETING_API_KEY         key of the team
  EMAIL_MARKETING_TEAM_ID         id of the team, for import and for check --identify
  EMAIL_MARKETING_LEGACY_BASE_URL, EMAIL_MARKETING_LEGACY_API_KEY
                                  address and key of the legacy interface, if they differ
  NO_COLOR                        any value turns colours off`;

/** Refuses keys on the command line, where other users of the machine and the shell's history would see them. */
export function refuseSecrets(command: Command): Command {
  for (const [flag, variable] of secrets) {
    const refuse = (): never => {
      throw new UsageError(
        `${flag} is not accepted: every user of this machine could read it; set ${variable}`,
      );
    };
    command.addOption(new Option(`${flag} [value]`).hideHelp().argParser(refuse));
  }
  return command.addHelpText('after', environmentHelp);
}
