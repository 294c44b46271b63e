import { once } from 'node:events';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { lacksSignals, until } from '../support/staged-programs.ts';
import { stageBuilt } from './run-cli.ts';

test.skipIf(lacksSignals)(
  'keeps serving when the reader of its log ends, and ends at SIGTERM with 0',
  async () => {
    await using staged = await stageBuilt();
    const { child, ended } = staged.start('sandbox', '--port', '0');
    let printed = '';
    child.stdout?.on('data', text => {
      printed += text;
    });
    await until(() => printed.includes('TEAM_ID='));
    const [, url = ''] = /BASE_URL=(http:\S+)/.exec(printed) ?? [];
    child.stdout?.destroy();
    await once(child.stdout as NonNullable<typeof child.stdout>, 'close');
    for (let number = 0; number < 20; number += 1)
      expect(
        (await fetch(`${url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': 'sandbox-key' } })).status,
      ).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  },
);

test('prints its version with --version', async () => {
  await using staged = await stageBuilt();
  expect(await staged.run('--version')).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
});
