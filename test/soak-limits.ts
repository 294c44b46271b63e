/**
 * Measures how punctual the time limits are: each must end a call within 100 ms. Time in which the event loop was blocked
 * by the machine is counted separately.
 */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EmailMarketingClient, TimeoutError } from '../src/index.ts';
import { type Fault, startFaultServer } from './support/fault-server.ts';
import * as faults from './support/faults.ts';

const limitMs = 300;
const tolerance = 100;
const samples = 10;

const endless: Readonly<Record<string, Fault>> = {
  'never responds': faults.neverResponds,
  'stalls after the head': faults.stallsAfterHead,
  'stalls in mid-body': faults.stallsInBody,
  'drips a byte a second': faults.drips(),
};

/** Returns the milliseconds after the limit, and in how many of them the process was blocked. */
async function lateness(
  client: EmailMarketingClient,
  options: object,
): Promise<{ late: number; blocked: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const started = performance.now();
  const result = await client.senders.list(options).safe();
  const late = performance.now() - started - limitMs;
  await new Promise(setImmediate);
  delay.disable();
  assert.ok(!result.ok && TimeoutError.isInstance(result.error), 'a time limit was expected to end the call');
  return { late: Math.max(0, late), blocked: Math.max(0, Math.min(late, delay.max / 1e6)) };
}

/** Takes one sample after the other, so that they do not delay each other. */
export async function measureLimits(): Promise<void> {
  for (const [name, fault] of Object.entries(endless)) {
    const server = await startFaultServer();
    server.otherwise(fault);
    const client = new EmailMarketingClient({ baseUrl: server.url, apiKey: 'key', logLevel: 'off' });
    for (const options of [{ timeout: limitMs, maxRetries: 0 }, { totalTimeout: limitMs }]) {
      let worst = { late: 0, blocked: 0 };
      for (let sample = 0; sample < samples; sample += 1) {
        const taken = await lateness(client, options);
        if (taken.late - taken.blocked >= worst.late - worst.blocked) worst = taken;
      }
      const { late, blocked } = worst;
      const measured = `${late.toFixed(1)} ms late, the process blocked for ${blocked.toFixed(1)} of them`;
      console.log(`${name}, ${Object.keys(options)[0]} ${limitMs} ms: at most ${measured}`);
      assert.ok(late - blocked <= tolerance, `${name}: ${measured}`);
    }
    await server.close();
  }
}
