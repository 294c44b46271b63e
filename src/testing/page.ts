import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** A table that fills itself: its columns are in the script, under the same name. */
const panel = (name: string, title: string, extra = '') => `
  <section aria-labelledby="${name}-title">
    <div class="bar"><h2 id="${name}-title">${title} <output id="${name}-count"></output></h2>${extra}</div>
    <div class="rows" id="${name}" role="list"></div>
  </section>`;

const field = (label: string, control: string) => `<label><span>${label}</span>${control}</label>`;

const faultForm = `
  <form id="fault-form">
    ${field('Operation', '<select name="operation"></select>')}
    ${field('Fault', '<select name="kind"><option>fail<option>stall<option>drop<option>latency<option>rateLimit</select>')}
    ${field('Status', '<input name="status" type="number" min="200" max="599" value="503" data-for="fail">')}
    ${field('Retry-After, s', '<input name="retryAfter" type="number" min="0" data-for="fail">')}
    ${field('Milliseconds', '<input name="ms" type="number" min="0" value="1000" data-for="latency">')}
    ${field('Requests a second', '<input name="requests" type="number" min="0" value="5" data-for="rateLimit">')}
    ${field('Where', '<select name="at" data-for="stall drop"><option>head<option>body</select>')}
    ${field('Times', '<input name="times" type="number" min="1" placeholder="always" data-for="fail stall drop latency">')}
    ${field('Chance', '<input name="chance" type="number" min="0" max="1" step="any" placeholder="1" data-for="fail stall drop latency">')}
    <button>Switch on</button>
  </form>
  <p id="problem" role="alert"></p>`;

/** The page at `/`: one document without a framework or a build, which asks the sandbox once a second. */
export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Email marketing sandbox</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
<header>
  <h1>Email marketing sandbox</h1>
  <p id="state" role="status">connecting</p>
  <nav><a href="/openapi.json">OpenAPI</a> <button id="reset" type="button">Reset to the seed</button></nav>
</header>
<main>
  <section aria-labelledby="faults-title">
    <div class="bar"><h2 id="faults-title">Faults <output id="faults-count"></output></h2></div>
    ${faultForm}
    <div class="rows" id="faults" role="list"></div>
  </section>
  ${panel('requests', 'Requests')}
  ${panel('contacts', 'Contacts', field('Search', '<input id="search" type="search" placeholder="name or email">'))}
  ${panel('lists', 'Lists')}
  ${panel('tags', 'Tags')}
  ${panel('events', 'Events')}
</main>
<script>${pageScript}</script>
</html>
`;
