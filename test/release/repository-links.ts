// Rewrites links of packed documents to files outside the package.
import { posix } from 'node:path';

/** The package of a document. */
export interface Packed {
  /** Paths of the files in the package. */
  readonly files: readonly string[];
  /** Address of the repository, without a slash at its end. */
  readonly repository: string;
}

/** The text of a link can be code, and so stand before this part. */
const links = /((?:!\[[^\]\n]*)?\]\()([^)\s]+)(\))|((?:src|srcset|href)=")([^"]+)(")/g;
const code = /(```[\s\S]*?```|`[^`\n]*`)/;

/**
 * Makes relative links to files outside the package absolute links to the repository. Other links, anchors and code stay
 * unchanged.
 */
export function linkToRepository(text: string, file: string, packed: Packed): string {
  const parts = text.split(code);
  return parts.map((part, index) => (index % 2 ? part : rewrite(part, file, packed))).join('');
}

const rewrite = (text: string, file: string, packed: Packed): string =>
  text.replaceAll(
    links,
    (_, before = '', path = '', after = '', attribute = '', value = '', quote = '') =>
      `${before}${attribute}${target(path || value, before.startsWith('!') || attribute.startsWith('src'), file, packed)}${after}${quote}`,
  );

function target(link: string, isImage: boolean, file: string, { files, repository }: Packed): string {
  const [path = '', anchor] = link.split('#');
  const place = posix.join(posix.dirname(file), path);
  if (path === '' || /^[a-z]+:/i.test(path) || files.includes(place)) return link;
  const address = `${repository}/${isImage ? 'raw' : 'blob'}/HEAD/${place}`;
  return anchor === undefined ? address : `${address}#${anchor}`;
}
