// Storms and outages in virtual time, as a table for docs/benchmarks.md: `npm run bench -- storms [seed]`.
import { type Figures, scenarios } from './storms/scenarios.ts';
import { inVirtualTime } from './storms/virtual-time.ts';

const seed = Number(process.argv[2] ?? 1);

const decimals = (value: number | undefined, digits: number) =>
  value === undefined ? '–' : value.toFixed(digits);

const row = (name: string, client: string, figures: Figures): string => {
  const { calls, succeeded, requests, seconds, secondsToRecover, fairness } = figures;
  const cells = [
    name,
    client === 'no throttle' ? client : `\`${client}\``,
    `${succeeded} of ${calls}`,
    decimals(requests / calls, 2),
    decimals(seconds, 1),
    decimals(secondsToRecover, 1),
    decimals(fairness, 3),
  ];
  return `| ${cells.join(' | ')} |`;
};

console.log('| service | client | succeeded | requests per call | seconds | seconds to recover | fairness |');
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
for (const { name, client, run } of scenarios) console.log(row(name, client, await inVirtualTime(seed, run)));
