// Starts the Chromium of the machine for tests of pages.
import axe from 'axe-core';
import * as playwright from 'playwright';
import { chromium, pathOf } from './programs.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of the machine. */
export const openChromium = (): Promise<playwright.Browser> =>
  playwright.chromium.launch({ executablePath: pathOf(chromium), args });

/** Returns what axe finds in a page. Axe is evaluated by the browser, because a policy may forbid scripts. */
export async function axeFindings(page: playwright.Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`.slice(0, 300)));
}
