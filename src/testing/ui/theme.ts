import { byId } from './dom.ts';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const storageKey = 'sandbox-theme';

/** Lets a person choose light, dark or the system's colours; the choice is kept in the browser. */
export function startTheme(): void {
  const toggle = byId<HTMLButtonElement>('theme');
  let current = themes.find(theme => theme === localStorage.getItem(storageKey)) ?? 'system';
  const show = () => {
    apply(current);
    toggle.textContent = `Theme: ${current}`;
  };
  toggle.addEventListener('click', () => {
    current = themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system';
    localStorage.setItem(storageKey, current);
    show();
  });
  show();
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
