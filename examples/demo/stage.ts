import { styleText } from 'node:util';

/** Prints each step of the demo: its code, its result, and whether what the documentation claims is true. */
export class Stage {
  readonly #claims: { readonly text: string; readonly held: boolean }[] = [];

  /** Begins a part of the demo. */
  heading(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** Prints the source of a function, and runs it. */
  async run<Result>(code: () => Result): Promise<Awaited<Result>> {
    console.log(styleText('cyan', sourceOf(code)));
    return await code();
  }

  /** Prints what a step returned. */
  print(text: string): void {
    console.log(`  → ${text}`);
  }

  /** Prints a claim, and whether it held. */
  check(text: string, held: boolean): void {
    this.#claims.push({ text, held });
    console.log(held ? styleText('green', `  ✓ ${text}`) : styleText('red', `  ✗ ${text}`));
  }

  /** Prints how many claims held. Returns `true` if all of them did. */
  summary(): boolean {
    const failed = this.#claims.filter(({ held }) => !held);
    for (const { text } of failed) console.log(styleText('red', `  ✗ ${text}`));
    console.log(`\n${this.#claims.length - failed.length} of ${this.#claims.length} claims held.`);
    return failed.length === 0;
  }
}

/** Returns the body of an arrow function, with its lines moved to the left margin. */
function sourceOf(code: () => unknown): string {
  const body = code.toString().replace(/^(async )?\(\) =>\s*/, '');
  const lines = body.startsWith('{') ? body.split('\n').slice(1, -1) : body.split('\n');
  const indented = body.startsWith('{') ? lines : lines.slice(1);
  const margin = Math.min(...indented.filter(Boolean).map(line => line.search(/\S/)));
  return lines.map(line => `  ${indented.includes(line) ? line.slice(margin) : line}`).join('\n');
}
