// Draws the results of the benchmarks.
import type { Column, Results } from './report.ts';
import { baseline, own, type Row } from './rows.ts';

/** Rows of one kind, below a heading of their own. */
interface Group {
  readonly title: string;
  readonly has: (row: Row) => boolean;
}

/** The comparison of a user first: clients that do the same work. */
const groups: readonly Group[] = [
  { title: 'retries, and checks responses', has: row => row.retries && row.checks === true },
  { title: 'does one of the two', has: row => row.retries !== (row.checks === true) },
  { title: 'does neither', has: row => !row.retries && !row.checks },
];

/** Sizes in the units of the picture. */
const size = { panel: 420, labels: 150, bars: 220, row: 20, bar: 14, head: 34, gap: 24 } as const;
/** Ratio at which a bar ends; its text tells the figure. */
const longestRatio = 2.5;

const styles = `
  text { fill: #24292f; }
  .title { font-weight: bold; }
  .group, .none { fill: #57606a; }
  .group { font-style: italic; }
  .paper { fill: #ffffff; }
  .bar { fill: #a9bad0; }
  .own { fill: #1a7f5a; }
  .baseline { fill: #6e7781; }
  .one { stroke: #6e7781; stroke-dasharray: 3 3; }
  .figure { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .group, .none { fill: #9ea7b3; }
    .paper { fill: #0d1117; }
    .bar { fill: #465a75; }
    .own { fill: #3fae83; }
    .baseline { fill: #8b949e; }
    .one { stroke: #8b949e; }
    .figure { stroke: #0d1117; }
  }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');

const lengthOf = (ratio: number): number => (Math.min(ratio, longestRatio) / longestRatio) * size.bars;

function bar(row: Row, column: Column, top: number): string {
  const start = size.labels;
  const line = top + size.bar - 3;
  const name = `<text x="${start - 6}" y="${line}" text-anchor="end">${escaped(row.name)}</text>`;
  const figure = column.figures.get(row.name);
  if (figure === undefined) return `${name}<text class="none" x="${start + 4}" y="${line}">none</text>`;
  const kind = row.name === own ? 'own' : row.name === baseline ? 'baseline' : 'bar';
  const width = lengthOf(figure);
  return `${name}<rect class="${kind}" x="${start}" y="${top}" width="${width.toFixed(1)}" height="${size.bar}"/>
<text class="figure" x="${(start + width + 4).toFixed(1)}" y="${line}">${column.text(figure)}</text>`;
}

function panel(rows: readonly Row[], column: Column, top: number): string {
  const start = size.labels;
  const one = start + lengthOf(1);
  const lines: string[] = [];
  let y = top + size.head;
  for (const { title, has } of groups) {
    lines.push(`<text class="group figure" x="${start}" y="${y + size.bar - 3}">${title}</text>`);
    y += size.row;
    for (const row of rows.filter(has)) {
      lines.push(bar(row, column, y));
      y += size.row;
    }
  }
  return `<text class="title" x="${start}" y="${top + 18}">${escaped(column.title)}</text>
<line class="one" x1="${one}" x2="${one}" y1="${top + size.head - 6}" y2="${y}"/>
${lines.join('\n')}`;
}

/** Columns that the picture shows, by their titles there; the tables have all. */
const shown: readonly (readonly [RegExp, string])[] = [
  [/^POST, 16 at once/, '16 small requests at once'],
  [/^page of 100/, 'one page of 100 contacts'],
];

/** Rows that the picture shows: enough to compare with, and few enough to read. */
const drawn = new Set([own, 'ky + zod', 'ky', 'stripe', 'openai', 'octokit', baseline, 'resend']);

/**
 * Draws `docs/benchmarks.svg`: processor time, one panel below the other, so that it can be read on a phone; shorter is
 * better. Follows the dark mode.
 */
export function plot({ rows: all, processor }: Pick<Results, 'rows' | 'processor'>): string {
  const rows = all.filter(({ name }) => drawn.has(name));
  const height = size.head + (rows.length + groups.length) * size.row + size.gap;
  const panels = shown.flatMap(([pattern, title], index) =>
    processor
      .filter(column => pattern.test(column.title))
      .map(column => panel(rows, { ...column, title: column.title.replace(pattern, title) }, index * height)),
  );
  const [width, total] = [size.panel, panels.length * height];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="12">
<style>${styles}
</style>
<rect class="paper" width="${width}" height="${total}"/>
${panels.join('\n')}
</svg>
`;
}
