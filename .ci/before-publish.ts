/** Refuses to publish a package that does not name its repository, homepage and bug tracker: `npm run release` adds them. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = ['repository', 'homepage', 'bugs'].filter(name => !manifest[name]);
if (missing.length > 0)
  throw new Error(`package.json has no ${missing.join(', ')}: publish the tarball of npm run release.`);
