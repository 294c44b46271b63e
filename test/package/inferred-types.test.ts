// A package that exports what the sandbox's functions return, without naming the types, as helpers of tests do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const helpers = `import { createSandbox } from 'email-marketing-client/testing';
import { sandboxHandlers } from 'email-marketing-client/testing/msw';
export const sandbox = createSandbox();
export const handlers = sandboxHandlers(sandbox);
export const { state, requests } = sandbox;
export const held = () => sandbox.hold('tags.create');
export const listen = () => sandbox.listen();
`;

// The declarations are the same on every system, and the Windows on which these tests run here (Wine) makes no junctions.
test.skipIf(process.platform === 'win32')(
  'what the sandbox returns can be exported from a package with `declaration`',
  () => {
    const project = mkdtempSync(join(tmpdir(), 'inferred-types-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    mkdirSync(join(project, 'node_modules'));
    // MSW is found from the package alone, as pnpm installs it.
    symlinkSync(root, join(project, 'node_modules/email-marketing-client'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'helpers.ts'), helpers);
    const compilerOptions = { target: 'es2022', module: 'nodenext', declaration: true, skipLibCheck: true };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] }, files: ['helpers.ts'] }),
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc6');
    const run = () => execFileSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    expect(run).not.toThrow();
    const declared = readFileSync(join(project, 'helpers.d.ts'), 'utf8');
    expect(declared).toContain('handlers: import("email-marketing-client/testing/msw").SandboxHandler[]');
  },
);
