import { EmailMarketingClient, EmailMarketingError } from '../../index.ts';
import { type ClockOffset, clockOffset } from './clock.ts';
import { type ReadResults, readEverything } from './differences.ts';

/** Result of one check. */
export interface CheckResult {
  readonly name: string;
  /** Absent when it was not checked. */
  readonly ok?: boolean | undefined;
  readonly detail: string;
}

/** Results of the command `check`. */
export interface CheckReport extends ReadResults {
  readonly checks: readonly CheckResult[];
  readonly clock?: ClockOffset | undefined;
}

/** Seconds that a clock may be off before it is reported as wrong. */
const acceptableClockSeconds = 30;

/** Checks address, key and clock by reading, and the legacy interface only if an address to identify is given. */
export async function checkService(identify: string | undefined, signal: AbortSignal): Promise<CheckReport> {
  const lenient = new EmailMarketingClient({ validation: 'off' });
  const strict = new EmailMarketingClient({ validation: 'strict' });
  const { checks, clock, noClock } = await checkAccess(lenient, signal);
  const legacy = await checkLegacy(lenient, identify, signal);
  const usable = checks.every(({ ok }) => ok !== false);
  const results = usable ? await readEverything({ strict, lenient }, signal) : nothingRead;
  return { checks: [...checks, ...clockCheck(clock, noClock), legacy], clock, ...results };
}

const nothingRead: ReadResults = { differences: [], read: [], unchecked: [] };

interface Access {
  readonly checks: readonly CheckResult[];
  readonly clock?: ClockOffset | undefined;
  /** Reason why there is no `clock`, where it is not that the response has no time. */
  readonly noClock?: string;
}

async function checkAccess(client: EmailMarketingClient, signal: AbortSignal): Promise<Access> {
  const sentAt = Date.now();
  try {
    const { response } = await client.senders.list({ signal }).withResponse();
    const checks = [
      { name: 'URL', ok: true, detail: 'the REST interface responds' },
      { name: 'key', ok: true, detail: 'the REST interface accepts it' },
    ];
    return { checks, clock: clockOffset(response.headers.get('date'), sentAt, Date.now()) };
  } catch (error) {
    if (!EmailMarketingError.isInstance(error)) throw error;
    const responded = error.attempts.some(({ status }) => status !== undefined);
    const noClock = responded ? 'the request failed' : 'there was no response';
    return { checks: accessFailure(error), noClock };
  }
}

function accessFailure(error: EmailMarketingError): CheckResult[] {
  if (error.name !== 'AuthenticationError') return [{ name: 'URL', ok: false, detail: error.message }];
  return [
    { name: 'URL', ok: true, detail: 'the REST interface responds' },
    { name: 'key', ok: false, detail: error.message },
  ];
}

function clockCheck(
  clock: ClockOffset | undefined,
  noClock = 'the response has no Date header',
): CheckResult[] {
  if (clock === undefined) return [{ name: 'clock', detail: `not checked: ${noClock}` }];
  const { seconds, precision } = clock;
  const side = seconds < 0 ? 'behind' : 'ahead of';
  const detail = `this machine is ${Math.abs(seconds)} s ${side} the service, give or take ${precision} s`;
  return [{ name: 'clock', ok: Math.abs(seconds) <= acceptableClockSeconds + precision, detail }];
}

const legacyName = 'legacy URL, key and team id';

/**
 * Checks the legacy interface. It has no operation that only reads, so that this needs an address: one that identifies
 * an existing contact and names no field changes nothing of it.
 */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = legacyName;
  if (email === undefined)
    return {
      name,
      detail: 'not checked: every legacy operation writes; --identify EMAIL checks them with one',
    };
  try {
    await client.legacy.identify({ email }, { signal });
    return { name, ok: true, detail: 'the legacy interface accepts them' };
  } catch (error) {
    if (!EmailMarketingError.isInstance(error)) throw error;
    return { name, ok: false, detail: error.message };
  }
}
