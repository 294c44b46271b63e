import { Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { surroundings } from '../support/surroundings.ts';
import { stage } from './run-cli.ts';

useNoRetryDelay();

afterEach(() => void vi.unstubAllGlobals());

const commands = ['sandbox', 'export', 'import', 'check'] as const;
const variables = [
  'EMAIL_MARKETING_BASE_URL',
  'EMAIL_MARKETING_API_KEY',
  'EMAIL_MARKETING_TEAM_ID',
  'EMAIL_MARKETING_LEGACY_BASE_URL',
  'EMAIL_MARKETING_LEGACY_API_KEY',
  'EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER',
  'EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP',
  'EMAIL_MARKETING_LOG',
];

describe('--help', () => {
  test.each(commands)(
    'of %s shows examples and the variables that it reads, and no line is wider than 80 columns',
    async command => {
      await using staged = await stage();
      const { code, stdout } = await staged.run(command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain('\nExit codes: 0 ');
      expect(stdout).toContain(`:\n  npx email-marketing-client ${command}`);
      expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
      if (command === 'sandbox') return;
      expect(stdout.match(/\bEMAIL_MARKETING_[A-Z_]+/g)).toEqual(variables);
      expect(stdout).toContain('143 stopped');
    },
  );
});

test.each([[[]], [['--help']]])('the help of the program has a sentence for each command: %j', async args => {
  await using staged = await stage();
  const { code, stdout } = await staged.run(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: email-marketing-client /);
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^ +${command} `, 'm'));
  expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
});

describe('a mistake', () => {
  test.each([
    [['improt', 'people.csv'], "Unknown command 'improt'. Did you mean import?\n"],
    [['import', 'people.csv', '--dryrun'], "Unknown option '--dryrun'. Did you mean --dry-run?\n"],
    [['export', '--exel'], "Unknown option '--exel'. Did you mean --excel?\n"],
    [['export', '--exel=secret-1\nsecret-2'], "Unknown option '--exel...'. See --help.\n"],
    [['export', "--exel='=secret-1'"], "Unknown option '--exel...'. See --help.\n"],
    [['export', '-ksecret-1'], "Unknown option '-k...'. See --help.\n"],
    [['export', '--excel=secret-1'], "Unknown option '--excel...'. See --help.\n"],
    [['xyz'], "Unknown command 'xyz'. See --help.\n"],
    [['import'], "Missing required argument 'file'.\n"],
    [['help', 'xyz'], 'email-marketing-client: Unknown command. See --help.\n'],
  ])('in %j is reported with a similar name or a hint at --help', async (args, message) => {
    await using staged = await stage();
    const { code, stderr } = await staged.run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret-1');
  });

  test.each([
    [
      'BASE_URL',
      'http://example.com',
      /begin with https:, unless the host is localhost or EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP is true/,
    ],
    ['BASE_URL', 'example', /must be an https: URL/],
    ['LEGACY_BASE_URL', 'example', /must be an https: URL/],
    ['API_KEY', 'two lines\nsecret-1', /must be text of at most 8192 characters/],
    ['DANGEROUSLY_ALLOW_HTTP', '1', /must be true or false/],
  ])('in the variable %s names it, and no option of the client', async (name, value, message) => {
    await using staged = await stage();
    const { code, stderr } = await staged.runWith({ [`EMAIL_MARKETING_${name}`]: value }, 'check');
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).toMatch(new RegExp(`^email-marketing-client check: EMAIL_MARKETING_${name} must `));
    expect(stderr).not.toMatch(/option|dangerouslyAllow|secret-1/);
  });

  test.each([
    [
      ['import', 'people.csv', '--yes'],
      ['BASE_URL', 'API_KEY', 'TEAM_ID'],
    ],
    [['export'], ['BASE_URL', 'API_KEY']],
    [['check'], ['API_KEY']],
    [
      ['check', '--write', 'a@example.com', '--yes'],
      ['BASE_URL', 'API_KEY', 'TEAM_ID'],
    ],
  ])(
    'in the environment is reported for %j in one line, with every missing variable',
    async (args, missing) => {
      await using staged = await stage();
      staged.write('people.csv', 'email,mailable\nada@example.com,yes\n');
      const variables = missing.map(name => `EMAIL_MARKETING_${name}`);
      const { code, stderr } = await staged.runWith(
        Object.fromEntries(variables.map(name => [name, ''])),
        ...args,
      );
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `email-marketing-client ${args[0]}: Set ${variables.join(', ')} in the environment (see --help).\n`,
      });
    },
  );
});

test.each(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'EACCES'])(
  'a connection that fails with %s is reported as a failure of the service, not of a file',
  async code => {
    await using staged = await stage();
    const cause = Object.assign(new Error('no'), { code });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
    const ended = await staged.run('export', '--out', 'out.csv', '--json');
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
      2,
      {
        error: {
          code: 'service',
          message: expect.stringMatching(
            /^GET \/contact: the request to .* failed before the response was complete \(/,
          ),
        },
      },
    ]);
  },
);

test('an export stops silently with 0 if its reader ends, and with 2 if it cannot be written', async () => {
  await using staged = await stage({ seed: { contacts: 1 } });
  for (const [code, expected] of [
    ['EPIPE', 0],
    ['ENOSPC', 2],
  ] as const) {
    const own = surroundings({ env: staged.env });
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code })),
    });
    stdout.on('error', () => {});
    expect(await main(['export'], { ...own, stdout })).toBe(expected);
    expect(own.stderr.text.split('\n')).toHaveLength(expected === 0 ? 2 : 3);
  }
});
