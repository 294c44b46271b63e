// MSW 2, the oldest version that the handlers support. It is not a development dependency.
import { createRequire } from 'node:module';
import { vi } from 'vitest';
import { installed } from '../runtimes/install.ts';
import { checkHandlers } from './msw-checks.ts';

const require = createRequire(`${installed('msw-2', { msw: '2.15.0' })}/`);
const msw: typeof import('msw') = require('msw');
const { setupServer }: typeof import('msw/node') = require('msw/node');

vi.doMock('msw', () => msw);
const { sandboxHandlers } = await import('../../src/testing/msw.ts');

checkHandlers('2', { http: msw.http, setupServer }, sandboxHandlers);
