// The rules of the queues in the examples, with waits of a millisecond.
import { expect, test, vi } from 'vitest';
import { type Counts, type Next, QueueRules } from '../../examples/queue-rules.ts';
import { EmailMarketingError } from '../../src/index.ts';

const pausing = new EmailMarketingError('wrong key', { retryable: true, scope: 'account' });
const retryable = new EmailMarketingError('down', { retryable: true });
const unknown = new EmailMarketingError('cut', { outcome: 'unknown' });
const refused = new EmailMarketingError('refused', { outcome: 'refused' });
const throwing = (error: Error) => vi.fn(() => Promise.reject(error));
const succeeding = () => vi.fn(async () => {});
const rulesWith = (read = succeeding()) => new QueueRules(read, 1);
const countsOf = (next: Next): Counts => (next.action === 'again' ? next.counts : {});

test.each([
  ['is cut off', unknown, 'person'],
  ['is refused', refused, 'drop'],
  ['throws an error that is not of the client', new Error('a bug'), 'person'],
])('a call that %s is not retried', async (_, error, action) => {
  expect(await rulesWith().run(throwing(error), true)).toMatchObject({ action, error });
});

test('a job that always fails is retried a hundred times, and is then for a person', async () => {
  const call = throwing(retryable);
  const rules = rulesWith();
  let next = await rules.run(call, true);
  while (next.action === 'again') next = await rules.run(call, true, next.counts);
  expect(next.action).toBe('person');
  expect(call).toHaveBeenCalledTimes(101);
});

test('a job that pauses the queue is retried without end while no other job succeeds', async () => {
  const rules = rulesWith();
  let counts: Counts = {};
  for (let attempt = 0; attempt < 8; attempt += 1)
    counts = countsOf(await rules.run(throwing(pausing), true, counts));
  expect(counts).toMatchObject({ pausesAlone: 0 });
  expect(counts.retries).toBeUndefined();
});

test('a job that pauses the queue ten more times while others succeed is for a person', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const rules = rulesWith();
  let next = await rules.run(throwing(pausing), true);
  vi.advanceTimersByTime(1);
  let attempts = 1;
  for (; next.action === 'again'; attempts += 1) {
    if (attempts < 3) await rules.run(succeeding(), true);
    next = await rules.run(throwing(pausing), true, next.counts);
  }
  vi.useRealTimers();
  expect([next.action, attempts]).toEqual(['person', 11]);
});

test('after a pause, one call is made at a time until one succeeds', async () => {
  const rules = rulesWith();
  await rules.run(throwing(pausing), true);
  let [running, most] = [0, 0];
  const call = (fails: boolean) => async () => {
    most = Math.max(most, ++running);
    await new Promise(resolve => setImmediate(resolve));
    running -= 1;
    if (fails) throw pausing;
  };
  await Promise.all([true, true, false, false, false].map(fails => rules.run(call(fails), true)));
  expect(most).toBe(1);
  await Promise.all([1, 2, 3].map(() => rules.run(call(false), true)));
  expect(most).toBe(3);
});

test('after a failure, an event waits until an idempotent call succeeds', async () => {
  const read = vi.fn(async () => {}).mockRejectedValueOnce(retryable);
  const event = succeeding();
  const rules = rulesWith(read);
  expect((await rules.run(event, false)).action).toBe('done');
  expect(read).not.toHaveBeenCalled();
  await rules.run(throwing(unknown), false);
  expect(await rules.run(event, false)).toMatchObject({ action: 'again', counts: {} });
  expect(event).toHaveBeenCalledOnce();
  expect((await rules.run(event, false)).action).toBe('done');
  await rules.run(succeeding(), true);
  await rules.run(event, false);
  expect([read.mock.calls.length, event.mock.calls.length]).toEqual([2, 3]);
});

test('a track that is not found is retried a few times, because its sign-up can be on the way', async () => {
  const notFound = Object.assign(new EmailMarketingError('none', { outcome: 'refused' }), {
    name: 'NotFoundError',
  });
  const rules = rulesWith();
  let next = await rules.run(throwing(notFound), true);
  let attempts = 1;
  for (; next.action === 'again'; attempts += 1)
    next = await rules.run(throwing(notFound), true, next.counts);
  expect([next.action, attempts]).toEqual(['person', 11]);
});
