import type { MarkdownRenderer } from 'vitepress';
import { idOfBlock } from './examples.ts';

/** Adds a link to the playground below each example that runs there. */
export const addOpenButtons =
  (base: string) =>
  (markdown: MarkdownRenderer): void => {
    const renderFence = markdown.renderer.rules.fence;
    markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
      const block = renderFence?.(tokens, index, options, env, self) ?? '';
      const id = idOfBlock(env.relativePath ?? '', tokens[index]?.content ?? '');
      if (id === undefined) return block;
      return `${block}<p class="open-in-playground"><a href="${base}playground.html?example=${id}">Open in playground</a></p>`;
    };
  };
