// What a visitor gets if a route of a framework does not catch the error of a call: never the service's status or headers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSandbox } from '../../src/testing/index.ts';
import { makeSamples } from './project.ts';

/** One route in each framework, which makes the call and lets it fail. */
const program = `
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EmailMarketingClient } from 'email-marketing-client';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { serve } from '@hono/node-server';
import { setTimeout } from 'node:timers/promises';

const client = new EmailMarketingClient({ maxRetries: 0 });
const call = () => client.tags.create({ name: 'vip' });

const expressApp = express().set('env', 'test').get('/', call);
const koa = new Koa().use(call);
koa.silent = true;
const fastify = Fastify();
fastify.get('/', call);
const hono = new Hono().get('/', call);
class Routes {
  get() {
    return call();
  }
}
Controller()(Routes);
Get()(Routes.prototype, 'get', Object.getOwnPropertyDescriptor(Routes.prototype, 'get'));
class App {}
Module({ controllers: [Routes] })(App);
const nest = await NestFactory.create(App, { logger: false });

await fastify.listen({ port: 0 });
await nest.listen(0);
const servers = {
  Express: expressApp.listen(0),
  Koa: koa.listen(0),
  Fastify: fastify.server,
  Hono: serve({ fetch: hono.fetch, port: 0 }),
  NestJS: nest.getHttpServer(),
};
await setTimeout(100);
const ports = Object.entries(servers).map(([name, server]) => [name, server.address().port]);
console.log(JSON.stringify(ports));
`;

export async function checkUncaughtErrors(): Promise<void> {
  const { folder } = makeSamples(
    'uncaught',
    {
      '@nestjs/common': '12.5.1',
      '@nestjs/core': '12.5.1',
      '@nestjs/platform-express': '12.5.1',
      '@hono/node-server': '2.1.9',
      express: '5.3.0',
      fastify: '5.12.8',
      hono: '4.13.19',
      koa: '3.3.0',
      'reflect-metadata': '0.2.2',
      rxjs: '7.8.2',
    },
    {},
    { 'main.mjs': program },
  );
  const sandbox = createSandbox();
  const service = await sandbox.listen();
  const account = { EMAIL_MARKETING_BASE_URL: service.url, EMAIL_MARKETING_API_KEY: sandbox.apiKey };
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
    env: { PATH: process.env.PATH, ...account },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [ports] = await once(child.stdout, 'data');
  for (const [name, port] of JSON.parse(ports)) {
    for (const status of [200, 302, 401, 403, 404, 409, 418, 422, 429, 503]) {
      const body = { status: 'error', message: 'of the service' };
      const headers = { 'retry-after': '7', 'set-cookie': 'of=service', location: '/of-the-service' };
      const failure = sandbox.fail('*', { status, headers, body });
      const response = await fetch(`http://localhost:${port}/`, { redirect: 'manual' });
      assert.equal(response.status, 500, `${name}: a visitor does not get the service's ${status}`);
      for (const header of Object.keys(headers))
        assert.equal(response.headers.get(header), null, `${name}: ${header}`);
      assert.equal(failure.hits, 1);
      failure.cancel();
    }
    console.log(`${name}: no visitor gets the service's status`);
  }
  child.kill();
  await service.close();
}
