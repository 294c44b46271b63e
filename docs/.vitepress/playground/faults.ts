import type { Sandbox } from 'email-marketing-client/testing';

/** Faults to switch on, by the name that the page shows. */
export const faults: Readonly<Record<string, (sandbox: Sandbox) => void>> = {
  'No faults': () => {},
  'Every response takes half a second': sandbox => void sandbox.latency('*', 500),
  'The first two requests get 503': sandbox =>
    void sandbox.fail('*', { status: 503, retryAfter: 0, times: 2 }),
  'The first connection is dropped': sandbox => void sandbox.drop('*', { times: 1 }),
  'The first two requests get 429': sandbox =>
    void sandbox.fail('*', { status: 429, retryAfter: 1, times: 2 }),
  'Every request gets 401': sandbox => void sandbox.fail('*', { status: 401 }),
};
