// Express responds to a visitor with the status of an error that a route lets pass.
import express from 'express';
import { expect, test } from 'vitest';
import { listening } from '../proxy/raw-http.ts';
import { connect } from './support.ts';

test('Express responds with 500 to the visitor whose request met a revoked key', async () => {
  const { client, server } = await connect();
  server.otherwise(({ response }) => void response.writeHead(401).end('{"status":401,"message":"no"}'));
  const app = express().get('/', async (_, response) => {
    response.json(await client.senders.list());
  });
  await listening(app, async port => {
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(500);
    expect(server.received).toHaveLength(1);
  });
});
