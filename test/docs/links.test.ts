import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as main from 'email-marketing-client';
import { expect, test } from 'vitest';
import { documents, root } from './collect.ts';

/** A document's prose, without its blocks and spans of code. */
const prose = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, 'code');

/** The anchors of a document's headings, by GitHub's rule. */
function anchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

test.each([...documents(), 'CHANGELOG.md'])('every link of %s leads somewhere', file => {
  const links = prose(readFileSync(root + file, 'utf8')).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g);
  for (const [, inline, attribute] of links) {
    const [path = '', anchor] = (inline ?? attribute ?? '').split('#');
    if (/^https?:/.test(path)) continue;
    const target = path === '' ? root + file : join(root, dirname(file), path);
    expect(existsSync(target), `${path} in ${file}`).toBe(true);
    if (anchor) expect(anchors(target), `#${anchor} in ${file}`).toContain(anchor);
  }
});

test.each(Object.entries(main).filter(([name]) => name.endsWith('Error')))(
  'the docs of %s are a section of a document',
  (name, made) => {
    const { docs } = (made as typeof main.EmailMarketingError).prototype;
    expect(docs).toBe(`docs/errors.md#${name.toLowerCase()}`);
    expect(anchors(`${root}docs/errors.md`)).toContain(name.toLowerCase());
  },
);
