import { keepFocus, markCurrent, type Row, showKeyed } from './dom.ts';

/** Number of rows that are fetched, and how many more at a time. */
const pageSize = 200;
/** Delay after the last keystroke before a search starts, in milliseconds. */
const typingMs = 200;

/** Newest items that match a search. */
export interface Found {
  readonly rows: readonly Row[];
  /** `true` if older items match. */
  readonly more: boolean;
}

/** List of a view, newest first, with its search; what is open is shown beside it, or in its place on a phone. */
export class List {
  readonly #view: HTMLElement;
  readonly #find: (text: string, limit: number) => Promise<Found>;
  readonly #search: HTMLInputElement;
  #limit = pageSize;
  #version = 0;
  #refreshing = false;
  #again = false;

  /** @param find Finds the newest items, up to a limit, that contain a text. */
  constructor(view: HTMLElement, find: (text: string, limit: number) => Promise<Found>) {
    this.#view = view;
    this.#find = find;
    this.#search = this.#part('input[type=search]');
    let typing: ReturnType<typeof setTimeout>;
    this.#search.addEventListener('input', () => {
      clearTimeout(typing);
      this.#part('.scroll').scrollTop = 0;
      typing = setTimeout(() => void this.refresh(), typingMs);
    });
    this.#part('.more').addEventListener('click', () => {
      this.#limit += pageSize;
      void this.refresh();
    });
    this.#part('.rows').addEventListener('keydown', event => this.#moveFocus(event));
  }

  /** Removes the rows and the search text: other items are to be listed. */
  clear(): void {
    this.#version += 1;
    this.#search.value = '';
    this.#part('.rows').replaceChildren();
  }

  /** Shows whether something is open, and which row leads to it. */
  open(isOpen: boolean): void {
    const { classList } = this.#view;
    const last = this.#part('.rows').querySelector<HTMLElement>('[aria-current]');
    const isClosed = classList.contains('opened') && !isOpen;
    classList.toggle('opened', isOpen);
    markCurrent(this.#links());
    if (isClosed) keepFocus(last ?? this.#part('.scroll'));
  }

  /** Fetches the items again; once more at the end if anything changed meanwhile. */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#again) {
      this.#again = false;
      const version = this.#version;
      const found = await this.#find(this.#search.value, this.#limit).catch(() => undefined);
      if (found !== undefined && version === this.#version) this.#show(found);
    }
    this.#refreshing = false;
  }

  #show({ rows, more }: Found): void {
    const isSearched = this.#search.value.trim() !== '';
    const list = this.#part('.rows');
    const last = list.lastElementChild as HTMLElement | null;
    // Rows that the reader has scrolled to stay, whatever arrives above them.
    const isScrolled = this.#part('.scroll').scrollTop > 0;
    if (isScrolled && more && !rows.some(({ key }) => key === last?.dataset.key)) {
      this.#limit += pageSize;
      this.#again = true;
      return;
    }
    if (!isScrolled) this.#limit = pageSize;
    showKeyed(list, rows);
    markCurrent(this.#links());
    this.#part('.more').hidden = !more;
    this.#part('.none').hidden = rows.length > 0 || !isSearched;
    this.#part('.empty').hidden = rows.length > 0 || isSearched;
  }

  /** Lets the arrow keys, Home and End move the focus between the rows. */
  #moveFocus(event: KeyboardEvent): void {
    const links = [...this.#links()];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const targets = { ArrowDown: links[at + 1], ArrowUp: links[at - 1], Home: links[0], End: links.at(-1) };
    if (at < 0 || !Object.hasOwn(targets, event.key)) return;
    event.preventDefault();
    targets[event.key as keyof typeof targets]?.focus();
  }

  #links(): NodeListOf<HTMLAnchorElement> {
    return this.#view.querySelectorAll<HTMLAnchorElement>('a.row');
  }

  #part<T extends HTMLElement>(selector: string): T {
    return this.#view.querySelector(`.list ${selector}`) as T;
  }
}
