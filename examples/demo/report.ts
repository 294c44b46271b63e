import { styleText } from 'node:util';

/** What a day's work came to: prints as it goes, and knows in the end whether all of it held. */
export class Report {
  readonly #lines: { readonly claim: string; readonly held: boolean }[] = [];

  /** Begins a part of the day. */
  heading(text: string): void {
    console.log(styleText('bold', `\n── ${text} ──`));
  }

  /** Prints a claim and whether it holds. */
  check(claim: string, held: boolean): void {
    this.#lines.push({ claim, held });
    console.log(`${held ? styleText('green', '✓') : styleText('red', '✗')} ${claim}`);
  }

  /** Prints rows under headings, each column as wide as its widest cell. */
  table(rows: readonly (readonly string[])[]): void {
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
    for (const row of rows)
      console.log(`  ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ')}`.trimEnd());
  }

  /** Prints what was done; `true` when all of it held. */
  summary(): boolean {
    this.heading('Summary');
    for (const { claim, held } of this.#lines) console.log(`  ${held ? 'done  ' : 'FAILED'}  ${claim}`);
    const failed = this.#lines.filter(({ held }) => !held).length;
    console.log(`\n${this.#lines.length - failed} held, ${failed} failed`);
    return failed === 0;
  }
}
