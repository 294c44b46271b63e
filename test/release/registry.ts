// A local npm registry for the rehearsal of a release.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { npmAsync } from '../support/npm.ts';

export interface Registry {
  /** Runs npm in a folder, with this registry and no other. */
  npm(folder: string, args: readonly string[]): Promise<void>;
  close(): void;
}

/** Starts an npm registry on this machine that keeps its packages in a folder and lets anybody publish. */
export async function startRegistry(folder: string): Promise<Registry> {
  const server: Server = await runServer({
    configPath: folder,
    storage: join(folder, 'storage'),
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all' } },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = join(folder, '.npmrc');
  // npm publishes with a token alone; this registry takes any.
  writeFileSync(settings, `registry=http://${host}/\n//${host}/:_authToken=none\n`);
  const env = {
    npm_config_userconfig: settings,
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: `http://${host}/`,
  };
  return {
    npm: (project, args) => npmAsync(project, args, env),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
