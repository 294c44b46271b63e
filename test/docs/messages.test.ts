// Compares every message with messages/messages.md, which `npm run generate` writes: a review shows each change.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as library from '../../src/index.ts';
import { connectionSituations } from './messages/connections.ts';
import { inputSituations } from './messages/inputs.ts';
import { optionSituations } from './messages/options.ts';
import { proxySituations } from './messages/proxy.ts';
import { responseSituations } from './messages/responses.ts';
import type { Situation } from './messages/situation.ts';

const sections: Record<string, readonly Situation[]> = {
  'Options of the client': optionSituations,
  'Inputs and options of calls': inputSituations,
  'Responses of the service': responseSituations,
  'Connections and time limits': connectionSituations,
  'Pages and the proxy': proxySituations,
};

const introduction = `# Error messages

Every error message of the library, with the situation that leads to it. A test compares this page with the library;
\`npm run generate\` updates the page.
`;

/** Hashes on this thread, so that the clock does not advance meanwhile. */
const hashAtOnce = async (_algorithm: unknown, data: BufferSource) =>
  new Uint8Array(
    createHash('sha256')
      .update(data as Uint8Array)
      .digest(),
  ).buffer;

/** The clock and the random numbers are fixed, so that no message depends on the machine. */
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(hashAtOnce);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const name of Object.keys(process.env).filter(key => key.startsWith('EMAIL_MARKETING_')))
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Steps of the clock after which a call counts as endless, and the milliseconds of each. */
const maxSteps = 2000;
const stepMs = 100;

/** Returns the error of a situation, if there is one. */
async function errorOf(provoke: Situation[1]): Promise<Error | undefined> {
  let settled: { readonly error?: Error } | undefined;
  Promise.resolve()
    .then(provoke)
    .then(
      () => (settled = {}),
      (error: Error) => (settled = { error }),
    );
  for (let step = 0; step < maxSteps && settled === undefined; step += 1)
    await vi.advanceTimersByTimeAsync(stepMs);
  if (settled === undefined) throw new Error('The situation never ended');
  return settled.error;
}

/** Returns a message as code in a Markdown table. */
const messageOf = ({ message }: Error): string =>
  `\`\`${message.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}\`\``;

test('every message is in messages/messages.md, which `npm run generate` writes', async () => {
  const names = new Set<string>();
  let page = introduction;
  for (const [section, situations] of Object.entries(sections)) {
    page += `\n## ${section}\n\n| situation | error | message |\n|---|---|---|\n`;
    for (const [title, provoke] of situations) {
      const error = await errorOf(provoke);
      expect(error, title).toBeInstanceOf(Error);
      if (!error) continue;
      names.add(error.name);
      page += `| ${title} | ${error.name} | ${messageOf(error)} |\n`;
    }
  }
  // Errors of the engine do not say what to do.
  expect([...names].filter(name => !name.startsWith('EmailMarketing') && !(name in library))).toEqual([]);
  expect(page).not.toMatch(/\.\. |\.\.`/);
  await expect(page).toMatchFileSnapshot('messages/messages.md');
  const classes = Object.entries(library).filter(
    ([, value]) => typeof value === 'function' && value.prototype instanceof library.EmailMarketingError,
  );
  expect(classes.map(([name]) => name).filter(name => !names.has(name))).toEqual([]);
});
