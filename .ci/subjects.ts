// Fails if the subject of a commit that is not in BASE is longer than 72 characters: `node .ci/subjects.ts BASE`. A push that
// creates a branch names no base, but zeros: then it checks the newest commit.
import { execFileSync } from 'node:child_process';

/** Maximum length of a subject: longer ones are cut in lists of commits. */
const maxCharacters = 72;

const [base] = process.argv.slice(2);
if (!base)
  throw new Error('Name the commit, branch or tag to compare with: node .ci/subjects.ts origin/main');
const commits = /^0+$/.test(base) ? ['--max-count=1'] : [`${base}..HEAD`];
const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', ...commits], { encoding: 'utf8' });
const tooLong = log.split('\n').filter(line => [...line.replace(/^\S+ /, '')].length > maxCharacters);
for (const line of tooLong) console.log(`over ${maxCharacters} characters: ${line}`);
if (tooLong.length > 0) process.exitCode = 1;
