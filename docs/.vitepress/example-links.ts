import type { MarkdownRenderer } from 'vitepress';

/** Points links to examples at the repository. If that is not known, only their text remains. */
export const linkExamples =
  (repository: string | undefined) =>
  (markdown: MarkdownRenderer): void => {
    markdown.core.ruler.push('examples', ({ tokens }) => {
      for (const { children } of tokens)
        for (const [index, link] of (children ?? []).entries()) {
          const [, path] = /^\.\.\/(examples\/.*)/.exec(String(link.attrGet('href'))) ?? [];
          if (path === undefined) continue;
          const end = children?.slice(index).find(({ type }) => type === 'link_close');
          if (repository) link.attrSet('href', `${repository}/blob/HEAD/${path}`);
          else for (const token of [link, end]) if (token) token.type = 'html_inline';
        }
    });
  };
