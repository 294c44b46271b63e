// The listener in Express.
import type { RequestListener } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });
const listener = () => toNodeListener(makePage({ allow: ['tags.create'] }).handler);

/** Each way of mounting the listener in Express. */
const apps: Readonly<Record<string, () => RequestListener>> = {
  'under all': () => express().all('/api', listener()),
  'after express.json()': () => express().use(express.json()).all('/api', listener()),
  'after express.urlencoded()': () =>
    express()
      .use(express.urlencoded({ extended: true }))
      .all('/api', listener()),
  'after express.text()': () =>
    express()
      .use(express.text({ type: '*/*' }))
      .all('/api', listener()),
  'after express.raw()': () =>
    express()
      .use(express.raw({ type: '*/*' }))
      .all('/api', listener()),
};

const id = 'a'.repeat(32);
const post = (host: string, body = call, type = 'application/json') =>
  `POST /api HTTP/1.1\r\nHost: ${host}\r\nX-Call-Id: ${id}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test.each(Object.entries(apps))('Express, %s: performs a call', (_, app) =>
  listening(app(), async port => {
    const received = await exchange(port, post('app.test'));
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('"name":"vip"');
  }),
);

test('passes the whole path to authorize if Express mounts the listener at a path', async () => {
  const paths: string[] = [];
  const authorize = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return true;
  };
  const mounted = toNodeListener(makePage({ allow: ['tags.create'], authorize }).handler);
  await listening(express().use('/api', mounted), async port => {
    await exchange(port, post('app.test'));
  });
  expect(paths).toEqual(['/api']);
});
