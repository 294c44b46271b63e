import type { RequestListener } from 'node:http';
import express4 from 'express-4';
import express5 from 'express-5';
import { expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });
const listener = () => toNodeListener(makePage({ allow: ['tags.create'] }).handler);

/** Each way of mounting the listener in Express. */
const apps: Readonly<Record<string, () => RequestListener>> = {
  'Express 4': () => express4().all('/api', listener()),
  'Express 4 after express.json()': () => express4().use(express4.json()).all('/api', listener()),
  'Express 4 after express.urlencoded()': () =>
    express4()
      .use(express4.urlencoded({ extended: true }))
      .all('/api', listener()),
  'Express 4 after express.text()': () =>
    express4()
      .use(express4.text({ type: '*/*' }))
      .all('/api', listener()),
  'Express 4 after express.raw()': () =>
    express4()
      .use(express4.raw({ type: '*/*' }))
      .all('/api', listener()),
  'Express 5': () => express5().all('/api', listener()),
  'Express 5 after express.json()': () => express5().use(express5.json()).all('/api', listener()),
  'Express 5 mounted by use': () => express5().use('/api', listener()),
};
const each = Object.entries(apps);

const post = (host: string, body = call, type = 'application/json') =>
  `POST /api HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test.each(each)('%s: performs a call', (_, app) =>
  listening(app(), async port => {
    const received = await exchange(port, post('app.test'));
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('"name":"vip"');
  }),
);

test.each(each)('%s: responds 400 to a host that cannot be read, and serves the next request', (_, app) =>
  listening(app(), async port => {
    expect(await exchange(port, post('a:b@c'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await exchange(port, post('app.test'))).toMatch(/^HTTP\/1\.1 200 /);
  }),
);

test('passes the whole path to authorize if Express mounts the listener at a path', async () => {
  const paths: string[] = [];
  const authorize = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return true;
  };
  const mounted = toNodeListener(makePage({ allow: ['tags.create'], authorize }).handler);
  await listening(express5().use('/api', mounted), async port => {
    await exchange(port, post('app.test'));
  });
  expect(paths).toEqual(['/api']);
});
