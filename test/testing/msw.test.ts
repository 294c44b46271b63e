import { http } from 'msw';
import { setupServer } from 'msw/node';
import { sandboxHandlers } from '../../src/testing/msw.ts';
import { checkHandlers } from './msw-checks.ts';

checkHandlers('3', { http, setupServer }, sandboxHandlers);
