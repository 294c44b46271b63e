import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callDefaults } from '../../../src/call/call-options.ts';
import { defaults } from '../../../src/client/client-options.ts';

const sources = ['client/client-options.ts', 'call/call-options.ts']
  .map(file => readFileSync(join(import.meta.dirname, '../../../src', file), 'utf8'))
  .join('\n');

/** Every option that has a default: the value, and what its doc comment says. */
const documented = {
  timeout: [30_000, '30 000'],
  totalTimeout: [Number.POSITIVE_INFINITY, 'no limit'],
  maxRetries: [2, '2'],
  validation: ['report', "'report'"],
  maxResponseBytes: [10_000_000, '10 000 000'],
  logLevel: ['warn', "the environment variable `EMAIL_MARKETING_LOG`, or 'warn'"],
} satisfies Record<keyof typeof defaults | keyof typeof callDefaults, unknown>;

test.each(Object.entries(documented))('the default of %s is as documented: %j', (name, [value, text]) => {
  const comment = new RegExp(`@defaultValue ([^*]+)\\n\\s*\\*/\\n\\s*readonly ${name}\\?:`);
  expect({ ...callDefaults, ...defaults }).toHaveProperty(name, value);
  expect(comment.exec(sources)?.[1]).toBe(text);
});
