/** Thrown for a command line that cannot be followed: `main` prints its message in one line and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
