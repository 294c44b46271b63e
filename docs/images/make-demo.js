// @ts-check
/** Draws docs/images/demo.svg from a real run: `node docs/images/make-demo.js`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const columns = 98;
const lineHeight = 19;
const charWidth = 8.1;
const margin = { left: 18, top: 58 };

const colours = {
  ok: '#3fb950',
  heading: '#79c0ff',
  error: '#ffa657',
  bar: '#3fb950',
  dim: '#9da7b3',
  text: '#e6edf3',
};

/** @param {string} line */
function colourOf(line) {
  if (line.startsWith('✓')) return colours.ok;
  if (line.startsWith('──')) return colours.heading;
  if (/^ +(line \d|\w+Error:)/.test(line)) return colours.error;
  if (line.includes('█')) return colours.bar;
  return line.startsWith('$') ? colours.text : colours.dim;
}

const run = spawnSync('npm', ['run', '--silent', 'demo'], { encoding: 'utf8' });
if (run.status !== 0) throw new Error(run.stderr);

const [day = ''] = stripVTControlCharacters(run.stdout).split('── Summary');
const lines = ['$ npm run demo', ...day.trimEnd().split(/\r?\n/)]
  .map(line => line.slice(line.lastIndexOf('\r') + 1))
  .filter((line, at, all) => !/[█░]/.test(line) || !/[█░]/.test(all[at + 1] ?? ''))
  .map(line => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line));

const width = Math.ceil(margin.left * 2 + columns * charWidth);
const height = margin.top + lines.length * lineHeight + 6;

/** @param {string} text */
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rows = lines.map(
  (line, at) =>
    `<text x="${margin.left}" y="${margin.top + at * lineHeight}" fill="${colourOf(line)}">${escaped(line)}</text>`,
);

writeFileSync(
  new URL('demo.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The demo in a terminal" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.5">\n<style>text { white-space: pre }</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${rows.join('\n')}
</svg>
`,
);
