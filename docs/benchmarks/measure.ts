// Starts the server and the workers of the benchmarks as processes of their own, and measures by them.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Row } from './rows.ts';
import type { Cost, Task } from './worker.ts';

const here = (file: string): string => join(import.meta.dirname, file);
const start = (file: string, args: readonly string[]): ChildProcess => fork(here(file), args);

/** The next message of a child; fails when it ends first. */
async function message<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const gone = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  const [value] = await Promise.race([once(child, 'message', { signal: ended.signal }), gone]).finally(() => {
    gone.catch(() => {});
    ended.abort();
  });
  return value as T;
}

/** The server, in its own process. */
export interface Server {
  readonly url: string;
  /** How many contacts the account holds from now on. */
  hold(contacts: number): Promise<void>;
  close(): void;
}

export async function startServer(): Promise<Server> {
  const child = start('./server.ts', []);
  const { port } = await message<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    hold: async contacts => {
      child.send(contacts);
      await message(child);
    },
    close: () => child.disconnect(),
  };
}

/** A row in its own process, so that it is not measured with the garbage or compiled code of another. */
export interface Worker {
  readonly row: Row;
  readonly can: { readonly page: boolean; readonly pagination: boolean };
  run(task: Task): Promise<Cost>;
  close(): void;
}

export async function startWorker(row: Row, url: string): Promise<Worker> {
  const child = start('./worker.ts', [row.name, url]);
  const can = await message<Worker['can']>(child);
  return {
    row,
    can,
    run: task => {
      child.send(task);
      return message<Cost>(child);
    },
    close: () => child.disconnect(),
  };
}

/** The middle of some figures. */
function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

/** What every row took for one task, round after round. */
export type Rounds = ReadonlyMap<string, readonly Cost[]>;

/** Runs a task in every worker in turn, round after round, so that a busy spell of the machine falls on all alike. */
export async function interleave(workers: readonly Worker[], task: Task, rounds: number): Promise<Rounds> {
  const costs = new Map<string, Cost[]>(workers.map(worker => [worker.row.name, []]));
  const warmUp = task.job === 'pagination' ? task.count : task.count / 5;
  for (const worker of workers) await worker.run({ ...task, count: warmUp });
  for (let round = 0; round < rounds; round++) {
    const turn = round % workers.length;
    for (const worker of [...workers.slice(turn), ...workers.slice(0, turn)])
      costs.get(worker.row.name)?.push(await worker.run(task));
  }
  return costs;
}

/** A row's processor (or wall) time for each unit of a task, in microseconds. */
export const each = (costs: readonly Cost[], count: number, of: 'cpu' | 'wall'): number =>
  (median(costs.map(cost => cost[of])) / count) * 1e3;

/** The median, over the rounds, of a row's time against another's in the same round. */
export const ratio = (costs: readonly Cost[], against: readonly Cost[], of: 'cpu' | 'wall'): number =>
  median(costs.map((cost, round) => cost[of] / (against[round]?.[of] ?? Number.NaN)));
