import { styleText } from 'node:util';

/** Report of the demo: prints each result, and a summary at the end. */
export class Report {
  readonly #lines: { readonly claim: string; readonly held: boolean }[] = [];

  /** Begins a part of the day. */
  heading(text: string): void {
    console.log(`\n${styleText('cyan', `── ${text} ──`)}`);
  }

  /** Prints a claim, and says if it is true. */
  check(claim: string, held: boolean): void {
    this.#lines.push({ claim, held });
    console.log(`${held ? styleText('green', '✓') : styleText('red', '✗')} ${claim}`);
  }

  /** Prints a line about an error. */
  error(text: string): void {
    console.log(styleText('yellow', `  ${text}`));
  }

  /** Prints rows under headings, each column as wide as its widest cell. */
  table(rows: readonly (readonly string[])[]): void {
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
    for (const row of rows)
      console.log(`  ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ')}`.trimEnd());
  }

  /** Prints every claim. Returns `true` if all of them are true. */
  summary(): boolean {
    this.heading('Summary');
    for (const { claim, held } of this.#lines) console.log(`  ${held ? 'done  ' : 'FAILED'}  ${claim}`);
    const failed = this.#lines.filter(({ held }) => !held).length;
    console.log(`\n${this.#lines.length - failed} passed, ${failed} failed`);
    return failed === 0;
  }
}
