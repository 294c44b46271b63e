/** Characters at the start of a page in which its title is looked for. */
const searchedLength = 4_096;

/** Longest title that is returned, in characters. */
const maxTitleLength = 100;

/** Returns the title of an HTML page, empty if it has none; `undefined` if the text is no HTML. */
export function htmlTitle(text: string): string | undefined {
  const start = text.slice(0, searchedLength);
  const lower = start.toLowerCase();
  if (!lower.trimStart().startsWith('<')) return undefined;
  const open = lower.indexOf('<title');
  const from = open < 0 ? -1 : lower.indexOf('>', open);
  if (from < 0) return '';
  const end = lower.indexOf('<', from);
  const title = start.slice(from + 1, end < 0 ? undefined : end);
  return title.replace(/\s+/g, ' ').trim().slice(0, maxTitleLength);
}
