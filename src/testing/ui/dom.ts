/** How long a message is shown, in milliseconds. */
const shownMs = 6000;

/** Content of an element; `false` is skipped. */
export type Child = Node | string | false;

/** Creates an element. Text is never interpreted as markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(child => child !== false));
  return element;
}

/** Creates a button. */
export function button(
  label: string,
  onClick: () => unknown,
  attributes: Readonly<Record<string, string>> = {},
) {
  const element = el('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', () => void onClick());
  return element;
}

/** Returns the element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no element ${id}`);
  return element as T;
}

/** An element of a list that changes. */
export interface Row {
  readonly key: string;
  /** The element is made again when this changes. */
  readonly content: string;
  readonly make: () => HTMLElement;
}

/** Shows one element per key. Replaces only elements whose content has changed, and keeps the focus. */
export function showKeyed(parent: HTMLElement, rows: readonly Row[]): void {
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

/** Moves the focus to an element if it was on one that is gone or hidden now. */
export function keepFocus(target: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.checkVisibility() === false) target?.focus();
}

/** Marks the links that lead to what is open. */
export function markCurrent(links: Iterable<HTMLAnchorElement>): void {
  for (const link of links)
    if (`${location.hash}/`.startsWith(`${link.hash}/`)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}

/** Shows a short message at the bottom of the page; screen readers announce it. */
export function say(text: string, kind: 'good' | 'bad' = 'good'): void {
  const message = el('p', { class: kind }, text);
  byId('message').replaceChildren(message);
  setTimeout(() => message.remove(), shownMs);
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

/** Creates a block of code with a button that copies it, or a longer text. */
export function codeBlock(code: string, what: string, text = code): HTMLElement {
  const pre = el('pre', { tabindex: '0', role: 'group', 'aria-label': what }, code);
  const copyIt = button('Copy', () => copy(text, what), { 'aria-label': `Copy ${what}` });
  return el('div', { class: 'code' }, pre, copyIt);
}

/** Creates a titled table of names and values; nothing if there are none. */
export function table(title: string, values: Readonly<Record<string, string>>): HTMLElement | false {
  const rows = Object.entries(values).map(([name, value]) =>
    el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)),
  );
  return rows.length > 0 && el('section', {}, el('h4', {}, title), el('table', {}, ...rows));
}
