import { stylesFor } from '../color.ts';
import { printable } from '../printable.ts';
import type { CheckReport, CheckResult } from './check-service.ts';
import type { Difference } from './differences.ts';

/** Returns a report for people; its table is Markdown, ready to paste, and holds no data of the team. */
export function formatCheck({ checks, differences, read, unchecked }: CheckReport): string {
  const records = read.map(({ operation, records: count }) => `${operation} (${count})`).join(', ');
  const lines = [
    ...checks.map(formatResult),
    ...(read.length > 0 ? ['', `Responses compared with the specification: ${records}.`] : []),
    ...unchecked.map(({ operation, reason }) => `Not compared: ${operation}: ${reason}.`),
    ...(read.length > 0 ? ['', ...formatDifferences(differences)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function formatResult({ name, ok, detail }: CheckResult): string {
  const style = stylesFor(process.stdout);
  const marks = new Map([
    [true, style('green', '✓')],
    [false, style('red', '✗')],
    [undefined, style('yellow', '?')],
  ]);
  return `${marks.get(ok)} ${name}: ${printable(detail)}`;
}

function formatDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return ['No difference was found.'];
  const rows = differences.map(({ operation, path, expected, received }) => [
    operation,
    path,
    expected,
    received,
  ]);
  const table = [['operation', 'path', 'expected', 'received'], ['---', '---', '---', '---'], ...rows];
  return table.map(cells => `| ${cells.map(cell => printable(cell).replaceAll('|', '\\|')).join(' | ')} |`);
}
