// Measures which share of the rate that latency allows each contender reaches.
import { median, type Server, startServer } from './measure.ts';

/** How long the server of the benchmarks takes to respond, in milliseconds. */
const latencyMs = 20;

/** One way of doing a job with so many requests in flight. */
export interface Contender {
  readonly name: string;
  run(server: Server, inFlight: number): Promise<void>;
}

/** A job that takes so many requests at the least. */
export interface LatencyJob {
  readonly requests: number;
  readonly inFlight: number;
  /** What share of that is asked of this library. */
  readonly wanted: number;
}

const rounds = 3;

/**
 * Prints what share of the rate that latency allows (`inFlight` requests each `latencyMs`) each contender reaches: the
 * middle of some rounds, in which they take turns so that a busy spell of the machine falls on all alike.
 */
export async function compareUnderLatency(
  contenders: readonly Contender[],
  jobs: readonly LatencyJob[],
): Promise<void> {
  console.log(`Node ${process.versions.node}, responds after ${latencyMs} ms`);
  const server = await startServer(latencyMs);
  for (const { requests, inFlight, wanted } of jobs) {
    const ideal = (Math.ceil(requests / inFlight) * latencyMs) / 1000;
    const shares = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const { name, run } of contenders) {
        const from = performance.now();
        await run(server, inFlight);
        shares.get(name)?.push((ideal * 1000) / (performance.now() - from));
      }
    for (const [name, all] of shares) {
      const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
      const range = `${percent(Math.min(...all))} to ${percent(Math.max(...all))}`;
      console.log(
        `${inFlight} in flight, ${name}: ${percent(median(all))} of what latency allows (${range})`,
      );
    }
    console.log(`${inFlight} in flight, wanted of this library: ${(wanted * 100).toFixed(0)} %`);
  }
  server.close();
}
