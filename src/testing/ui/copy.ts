import { button, el } from './dom.ts';
import { say } from './message.ts';

/** Copies a text to the clipboard, also where the page has no permission for it. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}.`);
  } catch {
    say(copyBySelection(text) ? `Copied ${what}.` : `Could not copy ${what}.`);
  }
}

/** Copies by selecting a text field: pages on plain HTTP have no clipboard of their own. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = el('textarea', { class: 'visually-hidden' });
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Creates a button that copies a text. */
export function copyButton(text: string, what: string, label = 'Copy'): HTMLButtonElement {
  return button(label, () => copy(text, what), { class: 'copy', 'aria-label': `${label} ${what}` });
}

/** Creates a block of code with a button that copies it. */
export function codeBlock(code: string, what: string): HTMLElement {
  return el('div', { class: 'code' }, el('pre', { tabindex: '0' }, code), copyButton(code, what));
}
