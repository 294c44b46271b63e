/**
 * Prints the npm dist-tag for the release of a tag, as `dist-tag=latest`; fails if the tag must not be released.
 * `latest` is what `npm install` gets: the highest version that is not a release candidate. The highest of an older major version
 * N becomes `latest-N`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_REF_NAME: tag } = process.env;
if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json has version ${version}.`);

const [major = ''] = version.split('.');
const branches = ['main', `v${major}.x`];
const containing = git('branch', '--remotes', '--contains', 'HEAD', '--format=%(refname:lstrip=3)');
if (!branches.some(branch => containing.includes(branch)))
  throw new Error(`${tag} is not on ${branches.join(' or ')}.`);

/** Returns whether one version, without a suffix, is higher than another. */
function isHigher(one: string, other: string): boolean {
  const [ones = [], others = []] = [one, other].map(text => text.replace('v', '').split('.').map(Number));
  const place = ones.findIndex((part, index) => part !== others[index]);
  return (ones[place] ?? 0) > (others[place] ?? 0);
}

const released = git('tag', '--list', 'v*').filter(each => /^v\d+\.\d+\.\d+$/.test(each));
const higher = released.filter(each => isHigher(each, tag));
const higherOfMajor = higher.find(each => each.startsWith(`v${major}.`));

function distTagOf(): string {
  if (version.includes('-')) return 'next';
  if (higherOfMajor)
    throw new Error(`${tag} is lower than ${higherOfMajor}: release the fix as a higher version.`);
  return higher.length > 0 ? `latest-${major}` : 'latest';
}
console.log(`dist-tag=${distTagOf()}`);
