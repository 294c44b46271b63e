// @ts-check
/** Draws docs/images/demo.svg from a real run, in the colours of the terminal: `node docs/images/make-demo.js`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setup as buildIfStale } from '../../test/support/build-if-stale.ts';

/** Part of the demo at which the picture ends; the whole would be too high. */
const lastHeading = '── Export';

const columns = 98;
const lineHeight = 19;
const charWidth = 8.1;
const margin = { left: 18, top: 58 };

/** Colour of a dark terminal, by the number in its escape sequence. */
const colours = new Map([
  ['0', '#e6edf3'],
  ['32', '#3fb950'],
  ['33', '#ffa657'],
  ['36', '#79c0ff'],
]);
const plain = colours.get('0');

/** An escape sequence that selects a colour, or resets it (39). */
const colourSequence = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

buildIfStale();
const run = spawnSync(process.execPath, ['examples/demo/main.ts'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined },
});
if (run.status !== 0) throw new Error(run.stderr);

const [day = ''] = run.stdout.split(new RegExp(`\\S*${lastHeading}`));
const lines = ['$ npm run demo', ...day.trimEnd().split(/\r?\n/)];

/** @param {string} text */
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the rows of a line, which wraps at the width of the terminal. @param {string} line */
function rowsOf(line) {
  let colour = plain;
  const cells = line.split(colourSequence).flatMap((part, index) => {
    if (index % 2 === 0) return [...part].map(text => ({ text, colour }));
    colour = colours.get(part) ?? plain;
    return [];
  });
  const rows = [];
  do rows.push(drawn(cells.splice(0, columns)));
  while (cells.length > 0);
  return rows;
}

/** Draws characters, those of one colour together. @param {{ text: string, colour: string | undefined }[]} cells */
function drawn(cells) {
  /** @type {typeof cells} */
  const runs = [];
  for (const { text, colour } of cells) {
    const last = runs.at(-1);
    if (last?.colour === colour) last.text += text;
    else runs.push({ text, colour });
  }
  return runs.map(({ text, colour }) => `<tspan fill="${colour}">${escaped(text)}</tspan>`).join('');
}

const texts = lines.flatMap(rowsOf);
const rows = texts.map(
  (text, at) => `<text x="${margin.left}" y="${margin.top + at * lineHeight}">${text}</text>`,
);
const width = Math.ceil(margin.left * 2 + columns * charWidth);
const height = margin.top + texts.length * lineHeight + 6;

writeFileSync(
  new URL('demo.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The demo in a terminal" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.5">\n<style>text { white-space: pre }</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${rows.join('\n')}
</svg>
`,
);
