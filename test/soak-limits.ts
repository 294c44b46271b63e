/**
 * Measures how punctual the time limits are: each must end a call within 100 ms of a bare timer of the same length, which
 * itself is late on a busy machine.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmailMarketingClient, TimeoutError } from '../src/index.ts';
import { type Fault, startFaultServer } from './support/fault-server.ts';
import * as faults from './support/faults.ts';

const limitMs = 300;
const tolerance = 100;
const samples = 10;

const endless: Readonly<Record<string, Fault>> = {
  'never answers': faults.neverAnswers,
  'stalls after the head': faults.stallsAfterHead,
  'stalls in mid-body': faults.stallsInBody,
  'drips a byte a second': faults.drips(),
};

async function lateness(client: EmailMarketingClient, options: object): Promise<number> {
  const timer = sleep(limitMs).then(() => performance.now());
  const result = await client.senders.list(options).safe();
  const ended = performance.now();
  assert.ok(!result.ok && TimeoutError.isInstance(result.error), 'a time limit was expected to end the call');
  return ended - (await timer);
}

/** One sample after the other, so that they do not delay each other. */
export async function measureLimits(): Promise<void> {
  for (const [name, fault] of Object.entries(endless)) {
    const server = await startFaultServer();
    server.otherwise(fault);
    const client = new EmailMarketingClient({ baseUrl: server.url, apiKey: 'key', logLevel: 'off' });
    for (const options of [{ timeout: limitMs, maxRetries: 0 }, { totalTimeout: limitMs }]) {
      const late: number[] = [];
      for (let sample = 0; sample < samples; sample += 1) late.push(await lateness(client, options));
      const worst = Math.max(...late);
      console.log(`${name}, ${Object.keys(options)[0]} ${limitMs} ms: at most ${worst.toFixed(1)} ms late`);
      assert.ok(worst <= tolerance, `${name}: ${worst} ms after the limit`);
    }
    await server.close();
  }
}
