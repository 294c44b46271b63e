import fc from 'fast-check';

/** Text that a naive reader of CSV misreads, or that a spreadsheet runs. */
const nasty = fc.constantFrom(
  ...['=1+1', "'=1+1", "''=1+1", '+44 20 7946 0958', '-3', '@SUM(A1)', "'", "'+", '＝1', '\t=1', "O'Brien"],
  ...['say "hi"', '"', '""', 'a;b', 'a;"b";c', ';', 'a,b', ' a', 'a ', ' ', '\u00a0', '\ufeffa', '\\', '\\;'],
  ...['line\nbreak', 'line\r\nbreak', 'line\rbreak', '\n', '\r', '"\n"', '😀', '👩‍👩‍👧', 'Zoë', '株式会社'],
  ...['\u2028', 'null', '0'],
);

/** Any text that the service stores unchanged. */
export const anyText = fc.oneof(
  nasty,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant(''),
);
