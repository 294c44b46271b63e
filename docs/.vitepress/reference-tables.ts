import type { MarkdownRenderer } from 'vitepress';

/** Marks the tables of the reference, which show descriptions below members. */
export function markReferenceTables(markdown: MarkdownRenderer): void {
  const renderTable = markdown.renderer.rules.table_open;
  markdown.renderer.rules.table_open = (tokens, index, options, env, self) => {
    const start = renderTable?.(tokens, index, options, env, self) ?? '<table>\n';
    const isReference = /^reference\//.test(env.relativePath ?? '');
    return isReference ? start.replace('<table', '<table class="members"') : start;
  };
}
