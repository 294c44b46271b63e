import type { MarkdownRenderer } from 'vitepress';

/** Lets the keyboard reach tables: those that are wider than the page scroll. */
export function scrollableTables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('scrollable-tables', ({ tokens }) => {
    for (const token of tokens) if (token.type === 'table_open') token.attrSet('tabindex', '0');
  });
}
