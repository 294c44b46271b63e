import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaults } from '../../src/options.ts';

test('the defaults match their documentation', () => {
  expect(defaults).toEqual({
    timeout: 30_000,
    totalTimeout: Number.POSITIVE_INFINITY,
    maxRetries: 2,
    validation: 'report',
    maxResponseBytes: 10_000_000,
    logLevel: 'warn',
    dangerouslyAllowBrowser: false,
    dangerouslyAllowHttp: false,
  });
});

const sources = ['options.ts', 'http/options/call-options.ts']
  .map(file => readFileSync(join(import.meta.dirname, '../../src', file), 'utf8'))
  .join('\n');

test.each(Object.entries(defaults))('the doc comment of %s states its default, %s', (name, value) => {
  const [, stated = ''] =
    new RegExp(`@defaultValue ([^*]+)\\n\\s*\\*/\\n\\s*readonly ${name}\\?:`).exec(sources) ?? [];
  const texts: Readonly<Record<string, string>> = {
    [Number.POSITIVE_INFINITY]: 'no limit',
    warn: "the environment variable `EMAIL_MARKETING_LOG`, or 'warn'",
    dangerouslyAllowHttp: 'the environment variable `EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP`, or false',
  };
  const text =
    texts[name] ?? texts[String(value)] ?? (typeof value === 'string' ? `'${value}'` : String(value));
  expect(stated.replaceAll(/(?<=\d) (?=\d{3})/g, '')).toBe(text);
});
