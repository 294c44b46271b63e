/** Script of the web page. It has no key, and gets only what the handler returns. */
import { createBrowserClient, InvalidRequestError } from '/email-marketing-client/browser.js';

const client = createBrowserClient({ url: '/api/email-marketing' });
const form = document.querySelector('form');
const button = document.querySelector('button');
const status = document.querySelector('[role="status"]');

form.addEventListener('submit', async event => {
  event.preventDefault();
  const { email, firstName } = Object.fromEntries(new FormData(form));
  button.disabled = true; // A double click would make two calls.
  const result = await client.legacy.identify({ email, firstName }).safe();
  button.disabled = false;
  status.className = result.ok ? '' : 'problem';
  status.textContent = result.ok ? `Thank you, ${firstName || email}. See you soon.` : problem(result.error);
});

function problem(error) {
  if (!(error instanceof InvalidRequestError)) return 'That did not work. Please try again later.';
  return `Please look at this again: ${error.issues.map(({ path, expected }) => `${path} must be ${expected}`).join(', ')}.`;
}
