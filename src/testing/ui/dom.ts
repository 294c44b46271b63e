/** How long a message is shown, in milliseconds. */
const shownMs = 6000;

/** Content of an element; `false` and `undefined` are skipped. */
export type Child = Node | string | false | undefined;

/** Attributes of an element; those that are `false` or `undefined` are skipped. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Creates an element. Text is never interpreted as markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  element.append(...children.filter(child => child !== undefined && child !== false));
  return element;
}

/** Creates a button. */
export function button(
  label: string,
  onClick: (button: HTMLButtonElement) => unknown,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', () => void onClick(element));
  return element;
}

/** Returns the element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no element ${id}`);
  return element as T;
}

/** Shows one element per key. Replaces only elements whose content has changed, and keeps the focus. */
export function showKeyed(
  parent: HTMLElement,
  rows: readonly { readonly key: string; readonly content: string; readonly make: () => HTMLElement }[],
): void {
  const shown = new Map([...parent.children].map(child => [(child as HTMLElement).dataset.key ?? '', child]));
  let place: Element | null = parent.firstElementChild;
  for (const { key, content, make } of rows) {
    const old = shown.get(key) as HTMLElement | undefined;
    shown.delete(key);
    if (old !== undefined && old.dataset.content === content) {
      if (old === place) place = place.nextElementSibling;
      else parent.insertBefore(old, place);
      continue;
    }
    const fresh = make();
    fresh.dataset.key = key;
    fresh.dataset.content = content;
    if (old === undefined) parent.insertBefore(fresh, place);
    else {
      if (old === place) place = old.nextElementSibling;
      replaceKeepingFocus(old, fresh);
    }
  }
  for (const child of shown.values()) child.remove();
}

/** Replaces an element, and moves the focus to the same control of the new one. */
function replaceKeepingFocus(old: HTMLElement, fresh: HTMLElement): void {
  const controls = (element: HTMLElement) => [...element.querySelectorAll<HTMLElement>('a, button')];
  const focused = controls(old).indexOf(document.activeElement as HTMLElement);
  old.replaceWith(fresh);
  if (focused >= 0) controls(fresh)[focused]?.focus();
}

/** Lets the arrow keys, Home and End move the focus between the rows of a list. */
export function moveWithArrows(list: HTMLElement): void {
  list.addEventListener('keydown', event => {
    const links = [...list.querySelectorAll<HTMLElement>('a.row')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: links.length - 1,
    };
    const target = targets[event.key];
    if (at < 0 || target === undefined) return;
    event.preventDefault();
    links[target]?.focus();
  });
}

/** Shows a short message at the bottom of the page; screen readers announce it. */
export function say(text: string, kind: 'good' | 'bad' = 'good'): void {
  const message = el('p', { class: kind }, text);
  byId('message').replaceChildren(message);
  setTimeout(() => message.remove(), shownMs);
}

/** Asks a question. Resolves to `true` if the user agrees. */
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

/** Copies a text to the clipboard. Browsers allow it on localhost and over HTTPS only. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}.`);
  } catch {
    say(`Could not copy ${what}.`, 'bad');
  }
}

/** Creates a button that copies a text. */
export function copyButton(text: string, what: string, label = 'Copy'): HTMLButtonElement {
  return button(label, () => copy(text, what), { class: 'copy', 'aria-label': `${label} ${what}` });
}

/** Creates a block of code with a button that copies it. */
export function codeBlock(code: string, what: string): HTMLElement {
  return el('div', { class: 'code' }, el('pre', { tabindex: '0' }, code), copyButton(code, what));
}
