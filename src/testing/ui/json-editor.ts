import { attempt } from './api.ts';
import { el } from './dom.ts';

/** Maximum height of the text, in lines. */
const maxRows = 24;

/** Returns a value as JSON, with a member on each line. */
export const asJson = (value: object): string => JSON.stringify(value, undefined, 2);

/** Creates a form that edits a value as JSON. What the server refuses stays, with the server's error beside it. */
export function jsonEditor(
  label: string,
  value: object,
  action: string,
  submit: (text: string) => Promise<unknown>,
  ...others: readonly HTMLElement[]
): HTMLFormElement {
  const text = asJson(value);
  const id = `${label.toLowerCase().replaceAll(' ', '-')}-error`;
  const rows = String(Math.min(text.split('\n').length, maxRows));
  const area = el('textarea', {
    'aria-label': `${label}, JSON`,
    'aria-describedby': id,
    rows,
    spellcheck: 'false',
  });
  area.value = text;
  const error = el('p', { id, class: 'error', role: 'alert' });
  const buttons = el('div', { class: 'bar' }, el('button', { class: 'primary' }, action), ...others);
  const form = el('form', { class: 'stack' }, area, error, buttons);
  form.addEventListener('submit', event => {
    event.preventDefault();
    error.textContent = '';
    area.removeAttribute('aria-invalid');
    void attempt(
      () => submit(area.value),
      message => {
        error.textContent = message;
        area.setAttribute('aria-invalid', 'true');
        area.focus();
      },
    );
  });
  return form;
}
