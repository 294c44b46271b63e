import type { MarkdownRenderer } from 'vitepress';

/** Longest code that fits into a line of a phone. */
const maxWholeLength = 24;

/** Marks short code without spaces, which stays on one line: browsers break `--yes` after its hyphens. */
export function keepShortCodeWhole(markdown: MarkdownRenderer): void {
  const renderCode = markdown.renderer.rules.code_inline;
  markdown.renderer.rules.code_inline = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token && /^\S+$/.test(token.content) && token.content.length <= maxWholeLength)
      token.attrJoin('class', 'whole');
    return renderCode?.(tokens, index, options, env, self) ?? '';
  };
}
