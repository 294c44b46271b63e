// The scenarios of `npm run bench -- storms`: outages, refusals and steady loads.
import { type ClientOptions, EmailMarketingClient } from 'email-marketing-client';
import {
  allRefused,
  everyNthRefused,
  limitPerSecond,
  outage,
  type Policy,
  type Refusal,
  refusedAtRandom,
  Service,
} from './service.ts';
import { now, pass } from './virtual-time.ts';

/** What a scenario came to. A figure that says nothing of it is absent. */
export interface Figures {
  readonly calls: number;
  readonly succeeded: number;
  readonly requests: number;
  /** From the first call to the end of the last, in seconds. */
  readonly seconds: number;
  /** From the end of an outage to the first success, or of a lower limit to four fifths of the old rate, in seconds. */
  readonly secondsToRecover?: number | undefined;
  /** Jain's index of what each client got: 1 if all got the same, 1/n if one got all. */
  readonly fairness?: number | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly client: string;
  readonly run: () => Promise<Figures>;
}

type Throttle = ClientOptions['throttle'];

const throttles: Readonly<Record<string, Throttle>> = {
  'no throttle': undefined,
  'requestsPerSecond: 100': { requestsPerSecond: 100 },
  'concurrency: 10': { concurrency: 10 },
};

const clientOf = (service: Service, throttle: Throttle) =>
  new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    logLevel: 'off',
    fetch: service.fetch,
    throttle,
  });

/** Makes one call and returns when it succeeded, in seconds, or `undefined`. */
const attempt = (client: EmailMarketingClient, name: string): Promise<number | undefined> =>
  client.tags.create({ name }).then(now, () => undefined);

/** Makes all calls at once. */
async function burst(policy: Policy, throttle: Throttle, calls: number): Promise<Figures> {
  const service = new Service(policy);
  const client = clientOf(service, throttle);
  const ends = await Promise.all(Array.from({ length: calls }, (_, call) => attempt(client, `tag ${call}`)));
  const succeeded = ends.filter(end => end !== undefined).length;
  return { calls, succeeded, requests: service.requests, seconds: now() };
}

/** Calls per second that a steady load makes. */
const loadPerSecond = 20;

/** When an outage starts and ends, and when its load ends, in seconds. */
const outageTimes = { from: 10, to: 70, end: 130 };

async function steadyLoad(refusal: Refusal, throttle: Throttle): Promise<Figures> {
  const service = new Service(outage(outageTimes.from, outageTimes.to, refusal));
  const client = clientOf(service, throttle);
  const ended: Promise<number | undefined>[] = [];
  while (now() < outageTimes.end) {
    ended.push(attempt(client, `tag ${ended.length}`));
    await pass(1_000 / loadPerSecond);
  }
  const ends = (await Promise.all(ended)).filter(end => end !== undefined);
  const firstAfter = Math.min(...ends.filter(end => end >= outageTimes.to));
  return {
    calls: ended.length,
    succeeded: ends.length,
    requests: service.requests,
    seconds: now(),
    secondsToRecover: firstAfter - outageTimes.to,
  };
}

/** Keeps so many calls under way until a second of the clock. Returns how many were made and succeeded. */
async function keepBusy(client: EmailMarketingClient, callsAtOnce: number, until: number) {
  let calls = 0;
  let succeeded = 0;
  const work = async () => {
    while (now() < until) {
      calls += 1;
      if ((await attempt(client, `tag ${calls}`)) !== undefined) succeeded += 1;
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  return { calls, succeeded };
}

/** A limit per second that is lower for a time, in seconds, and the calls under way. */
const change = { limit: 10, lower: 2, from: 30, to: 60, end: 120, callsAtOnce: 20 };

async function changingLimit(throttle: Throttle): Promise<Figures> {
  const { limit, lower, from, to, end, callsAtOnce } = change;
  const service = new Service(limitPerSecond(second => (second >= from && second < to ? lower : limit)));
  const busy = await keepBusy(clientOf(service, throttle), callsAtOnce, end);
  return {
    ...busy,
    requests: service.requests,
    seconds: now(),
    secondsToRecover: service.secondsUntilBusy(to, limit),
  };
}

/** Clients that share one service, calls that each keeps under way, and how long, in seconds. */
const sharing = { clients: 4, callsAtOnce: 8, seconds: 120 };

async function sharedService(throttle: Throttle): Promise<Figures> {
  const service = new Service(limitPerSecond(() => 40));
  const clients = Array.from({ length: sharing.clients }, () => clientOf(service, throttle));
  const shares = await Promise.all(
    clients.map(client => keepBusy(client, sharing.callsAtOnce, sharing.seconds)),
  );
  const calls = shares.reduce((sum, share) => sum + share.calls, 0);
  const succeeded = shares.reduce((sum, share) => sum + share.succeeded, 0);
  const squares = shares.reduce((sum, share) => sum + share.succeeded ** 2, 0);
  const fairness = succeeded ** 2 / (shares.length * squares);
  return { calls, succeeded, requests: service.requests, seconds: now(), fairness };
}

const stories: Readonly<Record<string, (throttle: Throttle) => Promise<Figures>>> = {
  'refuses every 2nd request; 40 calls at once': throttle => burst(everyNthRefused(2), throttle, 40),
  'refuses every 2nd request; 1 000 calls at once': throttle => burst(everyNthRefused(2), throttle, 1_000),
  'refuses 5 % at random; 1 000 calls at once': throttle => burst(refusedAtRandom(0.05), throttle, 1_000),
  'refuses 20 % at random; 1 000 calls at once': throttle => burst(refusedAtRandom(0.2), throttle, 1_000),
  'refuses 50 % at random; 1 000 calls at once': throttle => burst(refusedAtRandom(0.5), throttle, 1_000),
  'refuses every request; 500 calls at once': throttle => burst(allRefused, throttle, 500),
  'accepts 10 requests per second; 300 calls at once': throttle =>
    burst(
      limitPerSecond(() => 10),
      throttle,
      300,
    ),
  'accepts 50 requests per second; 1 000 calls at once': throttle =>
    burst(
      limitPerSecond(() => 50),
      throttle,
      1_000,
    ),
  'accepts 10 requests per second, 2 for half a minute, then 10; 20 calls under way': changingLimit,
  'responds 503 for a minute; 20 calls per second': throttle => steadyLoad({ status: 503 }, throttle),
  'responds 503 with `Retry-After: 5` for a minute; 20 calls per second': throttle =>
    steadyLoad({ status: 503, retryAfter: 5 }, throttle),
  'accepts 40 requests per second; 4 clients with 8 calls under way each': sharedService,
};

/** Every story with every throttle. */
export const scenarios: readonly Scenario[] = Object.entries(stories).flatMap(([name, run]) =>
  Object.entries(throttles).map(([client, throttle]) => ({ name, client, run: () => run(throttle) })),
);
