import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';

/** Colors from the style sheet, so that the editor follows the site's light and dark mode. */
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--playground-keyword)' },
  { tag: [tags.string, tags.number, tags.bool], color: 'var(--playground-literal)' },
  { tag: tags.comment, color: 'var(--playground-comment)' },
  { tag: tags.typeName, color: 'var(--playground-type)' },
]);

/** Makes an editor of TypeScript in an element. */
export const createEditor = (parent: HTMLElement, doc: string): EditorView =>
  new EditorView({
    parent,
    doc,
    extensions: [
      syntaxHighlighting(highlighting),
      basicSetup,
      javascript({ typescript: true }),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': 'Program' }),
    ],
  });
