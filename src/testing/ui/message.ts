import { byId, el } from './dom.ts';

/** Milliseconds for which a message stays. */
const shownMs = 6000;

/** Shows a short message at the bottom of the page, and has it read out. */
export function say(text: string, kind: 'good' | 'bad' = 'good'): void {
  const message = el('p', { class: kind }, text);
  byId('message').replaceChildren(message);
  setTimeout(() => message.remove(), shownMs);
}

/** Asks a question; resolves to whether the person agreed. */
export function ask(question: string, yes: string): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>('confirm');
  byId('confirm-question').textContent = question;
  byId('confirm-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
