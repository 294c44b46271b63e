import { reasonColumn } from '../fields.ts';
import { consentWords } from './consent-words.ts';

/** What the values of a column are about: who left, who may be mailed, a status, or perhaps one of these. */
export interface ColumnKind {
  readonly kind: 'out' | 'in' | 'status' | 'topic' | 'perhaps' | 'any';
  /** The column says when or why: it asks nothing. */
  readonly isDetail?: boolean;
  /** The column may be about emails if most of its values are yes and no. */
  readonly isFlag?: boolean;
}

type WordKind = keyof typeof consentWords;

const wordsOf = (...kinds: WordKind[]): string[] =>
  kinds.flatMap(kind => consentWords[kind].trim().split(/,\s*/));

/** Returns the words of some lists. */
export const setOf = (...kinds: WordKind[]): ReadonlySet<string> => new Set(wordsOf(...kinds));

/** Returns a pattern of words in a name that begins and ends with a space, the longest first. */
const patternOf = (...kinds: WordKind[]): string =>
  wordsOf(...kinds)
    .sort((one, other) => other.length - one.length)
    .map(word => `(?<= )${word}(?= )`.replace('(?<= )*', '').replace('*(?= )', '').replaceAll('*', '[^ ]*'))
    .join('|');

const finderOf = (kind: WordKind): RegExp => new RegExp(patternOf(kind));

const outColumn = finderOf('outColumn');
const inColumn = finderOf('inColumn');
const topicColumn = finderOf('topicColumn');
const perhapsColumn = finderOf('perhapsColumn');
const flagColumn = finderOf('flagColumn');
const denial = finderOf('denial');
const reversal = finderOf('reversal');
const otherColumn = finderOf('otherColumn');
const channelColumn = finderOf('channelColumn');
const measureColumn = finderOf('measureColumn');
const detailColumn = finderOf('detailColumn');
const emailColumn = finderOf('emailColumn');
const [outAlone, inAlone, statusAlone] = [setOf('outAlone'), setOf('inAlone'), setOf('statusAlone')];
const perhapsAlone = setOf('perhapsAlone');
const detailEnds = setOf('detailEnd');
const ignoredInNames = setOf('filler', 'detailColumn', 'detailEnd');
const plainWords = setOf('filler', 'detailColumn', 'detailEnd', 'yes', 'plainWord', 'plainPart');

/** Words for consent in a name, and parts of words that are such. */
const inWords = new RegExp(patternOf('inColumn', 'topicColumn', 'inAlone'), 'g');

/** Longest name or value that is compared with words. */
export const maxLength = 1000;

/** Returns a text for comparison. */
export const plain = (text: string, length = maxLength): string =>
  text.slice(0, length).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a name between spaces. */
const nameText = (name: string): string =>
  ` ${plain(name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;

/** Returns whether a word denies what follows. */
export const isDenial = (word: string): boolean => denial.test(` ${word} `);

/** Returns whether a text, such as a reason, may say that the person left. */
export function maySayLeft(text: string): boolean {
  const words = nameText(text);
  return [denial, reversal, outColumn].some(pattern => pattern.test(words));
}

/** Returns whether a name about consent has no other words or parts but harmless ones: any other may take the consent back. */
function isPlain(name: string): boolean {
  const rest = name.replace(inWords, ' ').trim().split(/ +/);
  return rest.every(word => /^\d*$/.test(word) || plainWords.has(word));
}

/** Returns what a column is about; `undefined` for another matter. */
export function kindOf(column: string): ColumnKind | undefined {
  const name = nameText(column);
  const out = outColumn.exec(name);
  // A name such as `Opted out at checkout` says who left, whatever else it is about.
  const isOther = channelColumn.test(name) || (!out && otherColumn.test(name));
  const isMeasure = measureColumn.test(name) || /^ \S+ (?:link|lien|enlace) $/.test(name);
  if (isMeasure || (isOther && !emailColumn.test(name))) return undefined;
  const words = name.trim().split(' ');
  const core = words.filter(word => !ignoredInNames.has(word) && !/^\d+$/.test(word) && !isDenial(word));
  const isAlone = (names: ReadonlySet<string>) => names.has(core.join(' '));
  const isDetail = detailColumn.test(name) || detailEnds.has(words.at(-1) ?? '');
  const isDenied = denial.test(name);
  const isReversed = reversal.test(name);
  const isVague = isDenied || isReversed || !isPlain(name);
  // Not of `not subscribed`, but of `not unsubscribed`.
  if (out)
    return denial.test(`${name.slice(0, out.index)} `) ? { kind: 'status' } : { kind: 'out', isDetail };
  if (isAlone(outAlone)) return isDenied ? { kind: 'status' } : { kind: 'out', isDetail };
  if (inColumn.test(name) || isAlone(inAlone)) return isVague ? { kind: 'status' } : { kind: 'in', isDetail };
  if (isAlone(statusAlone)) return { kind: 'status' };
  if (topicColumn.test(name)) return { kind: isReversed ? 'status' : isVague ? 'perhaps' : 'topic' };
  if (perhapsColumn.test(name) || perhapsAlone.has(name.trim())) return { kind: 'perhaps' };
  return { kind: 'any', isFlag: flagColumn.test(name) };
}

/** Returns whether the name of a column says that it is about consent. */
export const isConsentColumn = (column: string): boolean =>
  column !== reasonColumn && ['out', 'in', 'status'].includes(kindOf(column)?.kind ?? '');
