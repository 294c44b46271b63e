// How the samples of Express run: the app, its test, and what a visitor can send without the form.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  askingByForm,
  checkTypes,
  compiler,
  lib,
  makeSamples,
  type Start,
  serve,
  unchanged,
} from './project.ts';

/** What a visitor can send without the form: no body, other fields, text that is not JSON. */
const oddBodies: readonly RequestInit[] = [
  {},
  { headers: { 'content-type': 'application/json' }, body: '{' },
  { headers: { 'content-type': 'application/json' }, body: '{"email":5,"firstName":{}}' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=none' }, body: 'email=a' },
  { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(200_000) },
];

export const express: Start = async account => {
  const dependencies = { express: '5.3.0', '@types/express': '5.0.6', ...compiler };
  const files = unchanged('app.ts', 'main.ts', 'app.test.ts');
  const project = makeSamples('express', dependencies, { ...lib, ...files }, {});
  checkTypes(project);
  const args = ['--test', join(project.folder, 'app.test.ts')];
  execFileSync(process.execPath, args, { env: { PATH: process.env.PATH }, stdio: 'ignore' });
  const running = await serve(project, account, 'main.ts');
  const further = async () => {
    const [, page] = await askingByForm(running.origin)('/sign-up', { email: 'zoe@example.com' });
    assert.equal(page, 'Thank you.');
    for (const init of oddBodies) {
      const response = await fetch(`${running.origin}/sign-up`, { method: 'POST', ...init });
      assert.deepEqual([response.status, await response.text()], [400, 'Please check the address.']);
    }
    await assert.rejects(serve(project, { EMAIL_MARKETING_API_KEY: '' }, 'main.ts'), /ended with 1/);
  };
  return { ...running, further };
};
