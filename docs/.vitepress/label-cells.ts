import type { MarkdownRenderer } from 'vitepress';

/**
 * Gives each cell of a table the heading of its column. The style sheet shows it on narrow screens, where the rows of
 * wide tables become blocks, so that no column is cut off.
 */
export function labelCells(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('label-cells', ({ tokens }) => {
    let headings: string[] = [];
    let column = 0;
    tokens.forEach(({ type }, index) => {
      if (type === 'table_open') headings = [];
      else if (type === 'th_open') headings.push(tokens[index + 1]?.content.replaceAll('`', '') ?? '');
      else if (type === 'tr_open') column = 0;
      else if (type === 'td_open') tokens[index]?.attrSet('data-label', headings[column++] ?? '');
    });
  });
}
