// What happens to a service on a bad night, each for a while.
import type { Sandbox } from '../../src/testing/index.ts';

export const html = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<p>Not here</p>',
});

export const troubles: readonly [name: string, fault: Parameters<Sandbox['fail']>[1]][] = [
  ['outage', { status: 503 }],
  ['rotated-key', { status: 401 }],
  ['html-403', html(403)],
  ['redirect-to-a-login-page', { status: 302, headers: { location: 'https://login.test/' } }],
  ['login-page', html(200)],
  ['rate-limit', { status: 429, headers: { 'retry-after': '0' } }],
];
