// Responses that hold a secret, or nearly one. Each scenario runs in a process of its own: `node redaction-scenarios.ts <title>`.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ApiError, type ClientOptions, EmailMarketingClient, type SafeResult } from '../../src/index.ts';
import { shown } from './shown.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const megabyte = 1_000_000;
const key = 'sk_live_4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';

/** Runs calls against a server that responds so. */
async function against(
  respond: Respond,
  options: ClientOptions,
  run: (client: EmailMarketingClient) => Promise<void>,
): Promise<void> {
  const server = createServer(respond);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await run(
    new EmailMarketingClient({
      baseUrl,
      apiKey: key,
      teamId: 't',
      maxRetries: 0,
      logLevel: 'off',
      ...options,
    }),
  );
  server.closeAllConnections();
  server.close();
}

/** Responds 400 with a body of the specification's error form. */
const refuse =
  (message: (request: IncomingMessage) => string): Respond =>
  (request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: 'error', message: message(request) }));
  };

/** Responds 400 with this text as it is. */
const refuseWith =
  (body: string | Buffer, contentType = 'application/json'): Respond =>
  (_, response) => {
    response.writeHead(400, { 'content-type': contentType }).end(body);
  };

/** Returns the error of a failed call, after a check of its name and that no form of it holds the secret. */
function checkFailure(result: SafeResult<unknown>, name: string, secret: RegExp): ApiError {
  assert.equal(result.ok, false);
  const error = result.error as ApiError;
  assert.equal(error.name, name);
  assert.doesNotMatch(shown(error), secret);
  return error;
}

/** Makes one REST call that is refused, and checks its error. */
const refused = (respond: Respond, options: ClientOptions, secret: RegExp) =>
  against(respond, options, async client => {
    checkFailure(await client.senders.list().safe(), 'BadRequestError', secret);
  });

export const scenarios: Record<string, () => Promise<void>> = {
  'passes a response that holds 28 to 39 of the 40 characters of a key': async () => {
    for (let length = 28; length < key.length; length += 1)
      await refused(
        refuse(() => `got ${`${key.slice(0, length)} `.repeat(100)}`),
        {},
        new RegExp(key),
      );
  },

  'hides rotating tokens that share a prefix, the previous one in the response to the next': async () => {
    const token = (call: number) => `eyJhbGciOiJIUzI1NiJ9.${'c29tZS1jbGFpbXM'.repeat(20)}.signature${call}`;
    let call = 0;
    let previous = '';
    const echoPrevious = refuse(({ headers }) => {
      const message = `${previous} was replaced by ${headers['x-team-apikey']}`;
      previous = String(headers['x-team-apikey']);
      return message;
    });
    await against(echoPrevious, { apiKey: () => token(++call) }, async client => {
      for (let index = 0; index < 20; index += 1)
        checkFailure(await client.senders.list().safe(), 'BadRequestError', /signature\d/);
    });
  },

  'hides both of two keys that share a prefix': async () => {
    const keys = { apiKey: `${key}-rest`, legacyApiKey: `${key}-legacy` };
    const echo = refuse(() => `${keys.apiKey} or ${keys.legacyApiKey} or ${key}`);
    await against(echo, keys, async client => {
      await client.legacy.track({ email: 'a@x.test', addTags: ['a'] }).safe();
      checkFailure(await client.senders.list().safe(), 'BadRequestError', /5c-rest|5c-legacy/);
    });
  },

  'hides a key that is the name of a response header': async () => {
    const nameKey: Respond = (_, response) => void response.writeHead(200, { [key]: '1' }).end('[]');
    await against(nameKey, {}, async client => {
      const { response } = await client.senders.list().withResponse();
      assert.doesNotMatch(JSON.stringify([...response.headers]), new RegExp(key, 'i'));
    });
    await refused(
      (_, response) => void response.writeHead(400, { [key]: '1' }).end(),
      {},
      new RegExp(key, 'i'),
    );
  },

  'hides a Latin-1 key that comes back as its bytes': async () => {
    const apiKey = 'cl\xe9-secr\xe8te-\xe0-garder';
    const body = Buffer.from(`{"status":"error","message":"got ${apiKey}"}`, 'latin1');
    await refused(refuseWith(body), { apiKey }, /secr|garder/);
  },

  'hides a key in each form in which a page writes a quote, a slash or an equals sign': async () => {
    const apiKey = `CANARY'a/b"c=d`;
    const quotes = ["'", '&#39;', '&#039;', '&#x27;', '&#X27;', '&apos;'];
    const slashes = ['/', '&#47;', '&#x2F;', '&#X2F;', '&#x2f;', '&sol;'];
    const equals = ['=', '&#61;', '&#x3D;', '&equals;'];
    const pages = quotes.flatMap(quote =>
      slashes.flatMap(slash => equals.map(equal => `CANARY${quote}a${slash}b&quot;c${equal}d`)),
    );
    await refused(refuseWith(`<p>${pages.join('</p><p>')}</p>`, 'text/html'), { apiKey }, /CANARY/);
    await refused(
      refuse(() => pages.join(' ')),
      { apiKey },
      /CANARY/,
    );
  },

  'hides a short team id next to an escape': async () => {
    const bodies = [
      'line\\nT42x',
      'team%3DT42x',
      'team\\u003dT42x',
      'team=T42x&next',
      '\\tT42x\\n',
      '\\/T42x',
    ];
    for (const body of bodies)
      await against(
        refuseWith(`{"status":"error","message":"${body}"}`),
        { teamId: 'T42x' },
        async client => {
          const track = client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
          checkFailure(await track.safe(), 'BadRequestError', /T42x/);
        },
      );
  },

  'refuses a team id that ends in a line break, and does not show it': async () => {
    const options = { baseUrl: 'http://127.0.0.1', apiKey: key, teamId: 'team-canary-7\n' };
    assert.throws(
      () => new EmailMarketingClient(options),
      (error: Error) => error.name === 'ConfigurationError' && !shown(error).includes('canary'),
    );
  },

  'hides 9 MB of dkimConfig in the body of an error': async () => {
    const dkimConfig = `{"PrivKey":"${'CANARY'.repeat(1_500_000)}"}`;
    const body = JSON.stringify({ status: 'error', message: 'failed', domain: { dkimConfig } });
    const fail: Respond = (_, response) => void response.writeHead(500).end(body);
    await against(fail, {}, async client => {
      checkFailure(await client.domains.create({ name: 'a.test' }).safe(), 'ServerError', /CANARY/);
    });
  },

  'keeps a number that equals the team id, and hides the same digits as text': async () => {
    const body = '{"status":"error","message":"no","code":42,"team":"42"}';
    await against(refuseWith(body), { teamId: '42' }, async client => {
      const result = await client.legacy.track({ email: 'a@x.test', addTags: ['a'] }).safe();
      const { body: echoed } = checkFailure(result, 'BadRequestError', /"42"/);
      const expected = { status: 'error', message: 'no', code: 42, team: '[redacted]' };
      assert.deepEqual(echoed, expected);
    });
  },

  'searches a response of 1 MB for 100 rotating keys of 1 000 characters': async () => {
    const rotating = (call: number) => `${'a'.repeat(997)}${String(call).padStart(3, '0')}`;
    let call = 0;
    let body = 'no';
    await against(
      refuse(() => body),
      { apiKey: () => rotating(call++) },
      async client => {
        for (let index = 0; index < 99; index += 1) await client.senders.list().safe();
        body = `${'a'.repeat(megabyte)} ${rotating(7)} ${rotating(98)}`;
        checkFailure(await client.senders.list().safe(), 'BadRequestError', /a007|a098/);
      },
    );
  },
};

/** Printed when a scenario has run to its end, so that one that never ran does not pass. */
export const finished = 'finished';

const [, file, title = ''] = process.argv;
if (file === fileURLToPath(import.meta.url)) {
  await scenarios[title]?.();
  console.log(finished);
}
