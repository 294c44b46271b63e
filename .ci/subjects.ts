// Fails if the subject of a commit that is not in BASE is longer than 72 characters: `node .ci/subjects.ts BASE`.
import { execFileSync } from 'node:child_process';

/** Maximum length of a subject: longer ones are cut in lists of commits. */
const maxCharacters = 72;

const [base] = process.argv.slice(2);
if (!base)
  throw new Error('Name the commit, branch or tag to compare with: node .ci/subjects.ts origin/main');
const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', `${base}..HEAD`], {
  encoding: 'utf8',
});
const tooLong = log.split('\n').filter(line => [...line.replace(/^\S+ /, '')].length > maxCharacters);
for (const line of tooLong) console.log(`over ${maxCharacters} characters: ${line}`);
if (tooLong.length > 0) process.exitCode = 1;
