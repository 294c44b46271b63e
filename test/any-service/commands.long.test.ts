// The commands, over services that decide at random whatever the specification does not show.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { everyone, stage } from '../cli/run-cli.ts';
import { rows } from '../operations.ts';
import { listen } from '../support/listen.ts';
import { AnyService } from './any-service.ts';
import { namesOf } from './legacy.ts';

const only = process.env.ANY_SERVICE_SEED;
const seeds = only ? [Number(only)] : Array.from({ length: 500 }, (_, index) => index + 1);

const folder = await stage();
afterAll(() => folder[Symbol.asyncDispose]());

/** Serves a service over HTTP, and runs commands with the environment that it needs. */
async function serve(service: AnyService) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const reply = service.respond(`${request.method}`, url, headers, await text(request));
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  const options = service.clientOptions(address, address);
  const environment = {
    EMAIL_MARKETING_BASE_URL: options.baseUrl,
    EMAIL_MARKETING_API_KEY: options.apiKey,
    EMAIL_MARKETING_LEGACY_BASE_URL: options.legacyBaseUrl,
    EMAIL_MARKETING_LEGACY_API_KEY: options.legacyApiKey,
    EMAIL_MARKETING_TEAM_ID: options.teamId,
    EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER: options.contactSearchParameter,
  };
  return {
    run: (...args: string[]) => folder.runWith(environment, ...args),
    [Symbol.asyncDispose]: () =>
      new Promise<void>(resolve => void server.close(() => resolve()).closeAllConnections()),
  };
}

describe.each(seeds)('service %i', seed => {
  test('is confirmed by check, exported once, and imported into once', async () => {
    const service = new AnyService(seed);
    await using served = await serve(service);

    const listed = rows.filter(({ returns }) => returns === 'listing').map(({ name }) => name.split('.')[0]);
    // Before `check` creates a contact.
    const isNotFound =
      service.decisions.emptyListing === 'not found' &&
      listed.some(resource => service[resource as 'contacts'].length === 0);
    const check = await served.run('check', '--identify', 'me@example.com', '--json');
    const report = JSON.parse(check.stdout);
    // Nothing else is a difference: what the service leaves out, and empty listings in other forms.
    const received = new Set(report.differences.map((each: { received: string }) => each.received));
    expect(['null', 'undefined', 'nothing']).toEqual(expect.arrayContaining([...received]));
    // A listing that is not found is one that is not as documented.
    if (!isNotFound) {
      expect(check.code, check.stdout + check.stderr).toBe(received.size > 0 ? 1 : 0);
      expect(report.checks.map(({ status }: { status: string }) => status)).toEqual(['ok', 'ok', 'ok']);
    }

    const exported = await served.run('export', '--out', `${seed}.jsonl`);
    expect(exported.code, exported.stderr).toBe(0);
    const lines = folder.read(`${seed}.jsonl`).split('\n').filter(Boolean);
    const expected = service.inOrder(service.contacts).map(({ id }) => String(id));
    expect(lines.map(line => JSON.parse(line).id)).toEqual(expected);

    const before = service.acted;
    folder.write(
      `${seed}.csv`,
      'email,firstName,tags,customFields.points\nada@x.test,Ada,vip,1\nbob@x.test,Bob,,\nada@x.test,,a,++2\n',
    );
    const imported = await served.run('import', `${seed}.csv`, ...everyone);
    expect(imported.code, imported.stderr).toBe(0);
    expect(service.acted - before).toBe(3);
    const ada = service.find('ada@x.test') ?? {};
    expect({ firstName: ada.firstName, ...namesOf(ada) }).toMatchObject({
      firstName: 'Ada',
      tags: ['vip', 'a'],
      customFields: { points: '3' },
    });
  });
});
