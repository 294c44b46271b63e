/**
 * The service of the soak, in its own process: applies a random fault to each request, and counts how often it acted on
 * each write, whose number is in its name, email or identifier.
 */
import { type Exchange, type Fault, healthy, startFaultServer } from './support/fault-server.ts';
import * as faults from './support/faults.ts';
import { seededRandom } from './support/seeded-random.ts';

const random = seededRandom(Number(process.argv[2]));
const acted = new Map<number, number>();

/** Faults with their weights, and the probability that the service has acted. */
const faultTable: readonly { weight: number; acts: number; fault: Fault }[] = [
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
  { weight: 5, acts: 0.5, fault: faults.unavailable('0') },
  { weight: 10, acts: 0.5, fault: faults.status(500) },
  { weight: 10, acts: 0.5, fault: faults.badGatewayPage },
  { weight: 4, acts: 1, fault: faults.notJson },
  { weight: 4, acts: 1, fault: faults.cutShortJson },
  { weight: 4, acts: 0, fault: faults.status(422) },
];
const total = faultTable.reduce((sum, { weight }) => sum + weight, 0);

function drawFault() {
  let left = random() * total;
  for (const drawn of faultTable) {
    left -= drawn.weight;
    if (left < 0) return drawn;
  }
  return faultTable[0];
}

/** Returns the number of a write; `undefined` for reads. */
function numberOf({ request: { method, path, query, body } }: Exchange): number | undefined {
  if (method === 'GET') return undefined;
  const text = method === 'DELETE' ? path.slice(-22) : (new URLSearchParams(query).get('email') ?? body);
  const digits = /\d+/.exec(text)?.[0];
  return Number(digits);
}

const server = await startFaultServer();
server.otherwise(exchange => {
  server.received.length = 0;
  const number = numberOf(exchange);
  const drawn = drawFault();
  if (drawn === undefined) return;
  if (number !== undefined && random() < drawn.acts) acted.set(number, (acted.get(number) ?? 0) + 1);
  drawn.fault(exchange);
});

/** Also if the soak ends early. */
process.on('disconnect', () => void server.close());
process.on('message', question => {
  if (question === 'counts') process.send?.([...acted]);
  if (question === 'end') process.disconnect();
});
process.send?.(server.url);
