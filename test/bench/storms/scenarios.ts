// The scenarios of `npm run bench:storms`: outages, refusals and steady loads.
import { type ClientOptions, EmailMarketingClient } from 'email-marketing-client';
import {
  allRefused,
  everyNthRefused,
  limitPerSecond,
  outage,
  type Policy,
  type Refusal,
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
  /** From the end of an outage to the first success, in seconds. */
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

/** Clients that share one service, calls that each keeps under way, and how long, in seconds. */
const sharing = { clients: 4, callsAtOnce: 8, seconds: 120 };

async function sharedService(throttle: Throttle): Promise<Figures> {
  const service = new Service(limitPerSecond(40));
  let calls = 0;
  const successesOf = async (client: EmailMarketingClient) => {
    let successes = 0;
    const work = async () => {
      while (now() < sharing.seconds) {
        calls += 1;
        if ((await attempt(client, `tag ${calls}`)) !== undefined) successes += 1;
      }
    };
    await Promise.all(Array.from({ length: sharing.callsAtOnce }, work));
    return successes;
  };
  const clients = Array.from({ length: sharing.clients }, () => clientOf(service, throttle));
  const shares = await Promise.all(clients.map(successesOf));
  const succeeded = shares.reduce((sum, share) => sum + share, 0);
  const squares = shares.reduce((sum, share) => sum + share * share, 0);
  const fairness = (succeeded * succeeded) / (shares.length * squares);
  return { calls, succeeded, requests: service.requests, seconds: now(), fairness };
}

const stories: Readonly<Record<string, (throttle: Throttle) => Promise<Figures>>> = {
  'refuses every 2nd request': throttle => burst(everyNthRefused(2), throttle, 40),
  'refuses every 2nd request, 1 000 calls': throttle => burst(everyNthRefused(2), throttle, 1_000),
  'refuses every 5th request': throttle => burst(everyNthRefused(5), throttle, 1_000),
  'refuses every request': throttle => burst(allRefused, throttle, 500),
  'accepts 50 requests a second': throttle => burst(limitPerSecond(50), throttle, 1_000),
  '503 for a minute': throttle => steadyLoad({ status: 503 }, throttle),
  '503 for a minute, `Retry-After: 5`': throttle => steadyLoad({ status: 503, retryAfter: 5 }, throttle),
  'accepts 40 requests a second, 4 clients': sharedService,
};

/** Every story with every throttle. */
export const scenarios: readonly Scenario[] = Object.entries(stories).flatMap(([name, run]) =>
  Object.entries(throttles).map(([client, throttle]) => ({ name, client, run: () => run(throttle) })),
);
