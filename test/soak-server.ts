/**
 * The service of the soak, in a process of its own: meets each request with a random fault, and counts how often it
 * acted on each write. A write's number is in its name, its email or its identifier.
 */
import { type Exchange, type Fault, healthy, startFaultServer } from './support/fault-server.ts';
import * as faults from './support/faults.ts';
import { seededRandom } from './support/seeded-random.ts';

const random = seededRandom(Number(process.argv[2]));
const acted = new Map<number, number>();

/** Each with its weight, and how likely the service has acted when it happens. */
const misfortunes: readonly { weight: number; acts: number; fault: Fault }[] = [
  { weight: 900, acts: 1, fault: healthy },
  { weight: 10, acts: 0.5, fault: faults.resetBeforeResponse },
  { weight: 10, acts: 0.5, fault: faults.closedBeforeResponse },
  { weight: 10, acts: 1, fault: faults.resetInBody },
  { weight: 10, acts: 1, fault: faults.closedInBody },
  { weight: 2, acts: 0.5, fault: faults.neverResponds },
  { weight: 2, acts: 1, fault: faults.stallsAfterHead },
  { weight: 2, acts: 1, fault: faults.stallsInBody },
  { weight: 2, acts: 1, fault: faults.drips(200) },
  { weight: 10, acts: 0, fault: faults.tooManyRequests() },
  { weight: 5, acts: 0, fault: faults.tooManyRequests('0') },
  { weight: 5, acts: 0, fault: faults.unavailable('0') },
  { weight: 10, acts: 0.5, fault: faults.status(500) },
  { weight: 10, acts: 0.5, fault: faults.badGatewayPage },
  { weight: 4, acts: 1, fault: faults.notJson },
  { weight: 4, acts: 1, fault: faults.cutShortJson },
  { weight: 4, acts: 0, fault: faults.status(422) },
];
const total = misfortunes.reduce((sum, { weight }) => sum + weight, 0);

function misfortune() {
  let left = random() * total;
  for (const drawn of misfortunes) {
    left -= drawn.weight;
    if (left < 0) return drawn;
  }
  return misfortunes[0];
}

/** The number that a write carries; nothing for reads. */
function numberOf({ request: { method, path, query, body } }: Exchange): number | undefined {
  if (method === 'GET') return undefined;
  const digits = /\d+/.exec(method === 'DELETE' ? path.slice(-22) : (query.get('email') ?? body))?.[0];
  return Number(digits);
}

const server = await startFaultServer();
server.otherwise(exchange => {
  server.received.length = 0;
  const number = numberOf(exchange);
  const drawn = misfortune();
  if (drawn === undefined) return;
  if (number !== undefined && random() < drawn.acts) acted.set(number, (acted.get(number) ?? 0) + 1);
  drawn.fault(exchange);
});

/** Also when the soak ends before its time. */
process.on('disconnect', () => void server.close());
process.on('message', question => {
  if (question === 'counts') process.send?.([...acted]);
  if (question === 'end') process.disconnect();
});
process.send?.(server.url);
