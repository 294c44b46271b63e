// Random contacts with texts that naive readers of CSV cannot read.
import fc from 'fast-check';

/** A contact as an import can set it. */
export interface PlainContact {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
}

/** Text that naive readers of CSV cannot read, or that a spreadsheet would run. */
const nasty = fc.constantFrom(
  ...['=1+1', "'=1+1", "''=1+1", '+44 20 7946 0958', '-3', '@SUM(A1)', "'", "'+", '＝1', '\t=1', "O'Brien"],
  ...['say "hi"', '"', '""', 'a;b', 'a;"b";c', ';', 'a,b', ' a', 'a ', ' ', '\u00a0', '\ufeffa', '\\', '\\;'],
  ...[
    'line\nbreak',
    'line\r\nbreak',
    'line\rbreak',
    '\n',
    '\r',
    '"\n"',
    '😀',
    '👩‍👩‍👧',
    'Zoë',
    '株式会社',
    '\u2028',
    'null',
    '0',
  ],
);

/** Any text that the service stores unchanged. */
export const anyText = fc.oneof(
  nasty,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant(''),
);

const contact = fc.record({ firstName: anyText, lastName: anyText, company: anyText });

/** Contacts with different addresses. */
export const contacts = (size: { readonly minLength: number; readonly maxLength: number }) =>
  fc
    .array(contact, size)
    .map(several =>
      several.map((one, index): PlainContact => ({ ...one, email: `p${index}+a.b@example.com` })),
    );
