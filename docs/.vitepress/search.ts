/** How much a result of the reference counts beside one of a guide: a reader who asks a question wants the guide. */
// biome-ignore format: VitePress writes this function into the page as text.
const boostDocument = (id: string): number => (id.includes('/reference/') ? 0.2 : 1);

/** Options of the search, in the page and in the test of its index. */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 6, titles: 3, text: 1 },
  boostDocument,
};
