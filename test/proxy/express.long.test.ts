// The listener in Express.
import express from 'express';
import { expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });
const post = `POST /api HTTP/1.1\r\nHost: app.test\r\nX-Call-Id: ${'a'.repeat(32)}\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`;

test.each([
  ['no parser', []],
  ['express.json()', [express.json()]],
  ['express.urlencoded()', [express.urlencoded({ extended: true })]],
])('performs a call after %s', (_, parsers) => {
  const listener = toNodeListener(makePage({ allow: ['tags.create'] }).handler);
  return listening(express().all('/api', ...parsers, listener), async port => {
    const received = await exchange(port, post);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('"name":"vip"');
  });
});

test.each([
  ['express.text()', [express.text({ type: '*/*' })]],
  ['express.raw()', [express.raw({ type: '*/*' })]],
])('says after %s that something else has read the body', (_, parsers) => {
  const listener = toNodeListener(makePage({ allow: ['tags.create'], onError: () => {} }).handler);
  return listening(express().all('/api', ...parsers, listener), async port => {
    const received = await exchange(port, post);
    expect(received).toMatch(/^HTTP\/1\.1 500 /);
    expect(received).toContain('Something else on the server has read the body: ');
  });
});

test('passes the whole path to authorize if Express mounts the listener at a path', async () => {
  const paths: string[] = [];
  const authorize = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return true;
  };
  const mounted = toNodeListener(makePage({ allow: ['tags.create'], authorize }).handler);
  await listening(express().use('/api', mounted), async port => {
    await exchange(port, post);
  });
  expect(paths).toEqual(['/api']);
});
