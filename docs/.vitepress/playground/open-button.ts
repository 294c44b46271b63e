import type { MarkdownRenderer } from 'vitepress';
import { exampleId, examples } from './examples.ts';

const ids = new Set(examples.map(({ id }) => id));

/** Adds a link to the playground below each example that runs there. */
export const addOpenButtons =
  (base: string) =>
  (markdown: MarkdownRenderer): void => {
    const renderFence = markdown.renderer.rules.fence;
    markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
      const block = renderFence?.(tokens, index, options, env, self) ?? '';
      const id = exampleId(env.relativePath ?? '', (tokens[index]?.map?.[0] ?? -1) + 1);
      if (!ids.has(id)) return block;
      return `${block}<p class="open-in-playground"><a href="${base}playground.html?example=${id}">Open in playground</a></p>`;
    };
  };
