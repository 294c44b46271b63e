// Starts the Chromium of the machine for tests of pages.
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
