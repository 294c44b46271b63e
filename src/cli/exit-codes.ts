/** Exit code of a command that did all of its work. */
export const doneExitCode = 0;
/** Exit code of a command that ran, with rows that failed or differences that were found. */
export const someFailedExitCode = 1;
/** Exit code of a command that could not run, or that stopped before its end. */
export const couldNotRunExitCode = 2;
/** Exit codes of a command that a signal stopped, as shells expect them: 128 and the signal's number. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
