import { describe, expect, test } from 'vitest';
import { BirthdayFormats, dateConverter, requireDateFormat } from '../../../../src/cli/import/birthdays.ts';

function formatsOf(...dates: string[]): BirthdayFormats {
  const formats = new BirthdayFormats('Birthday');
  for (const [index, date] of dates.entries()) formats.add(index, date);
  return formats;
}

describe('the format of a column of birthdays', () => {
  test.each([
    [['03.04.1990', '1.2.1985'], 'DD.MM.YYYY'],
    [['03/04/1990', '31/12/1985'], 'DD/MM/YYYY'],
    [['03/04/1990', '12/31/1985'], 'MM/DD/YYYY'],
    [['03-04-1990', '31-12-1985'], 'DD-MM-YYYY'],
    [['1990-04-03', '', '13/01/1990'], 'DD/MM/YYYY'],
    [['', 'soon', '03/14'], undefined],
    [['31/12/1985', 'soon'], 'DD/MM/YYYY'],
  ])('of %j is %s', (dates, format) => {
    expect(formatsOf(...dates).guess()).toBe(format);
  });

  test.each([
    [['03/04/1990'], 'can be read as DD/MM/YYYY or MM/DD/YYYY, such as "03/04/1990"'],
    [['03-04-1990'], 'DD-MM-YYYY or MM-DD-YYYY'],
    [['31/12/1985', '12/31/1985'], 'contains dates in different formats'],
    [['03.04.1990', '03/04/1990'], 'contains dates in different formats'],
  ])('must be given for %j', (dates, message) => {
    const guess = () => formatsOf(...dates).guess();
    expect(guess).toThrow(message);
    expect(guess).toThrow('--date-format');
  });

  test('has a warning that shows the first unreadable date', () => {
    expect(formatsOf('1990-04-03', '').warning(false)).toBeUndefined();
    const formats = formatsOf('03/14', '0/0/00', '--05-12', '1990-02-30', '1990-01-01');
    expect(formats.unreadable).toBe(4);
    expect(formats.warning(false)).toMatch(/^"03\/14" .* 4 rows will be rejected; --bad-birthdays skip/);
    expect(formats.warning(true)).toMatch(/^"03\/14" .* 4 rows will be sent without it$/);
  });

  test('is the one that is given, which makes other dates unreadable', () => {
    const formats = new BirthdayFormats('Birthday', 'MM/DD/YYYY');
    for (const [index, date] of ['03/04/1990', '1990-04-03', '31/12/1990'].entries())
      formats.add(index, date);
    expect(formats.guess()).toBe('MM/DD/YYYY');
    expect(formats.warning(false)).toMatch(/^"31\/12\/1990" .* is not a date as MM\/DD\/YYYY: 1 row /);
  });
});

test.each([
  ['DD.MM.YYYY', '3.4.1990', '1990-04-03'],
  ['DD.MM.YYYY', '31.04.1990', undefined],
  ['DD.MM.YYYY', '1990-04-03', '1990-04-03'],
  ['MM/DD/YYYY', '03/04/1990', '1990-03-04'],
  ['YYYYMMDD', '19900403', '1990-04-03'],
  ['MM/DD/YYYY', '03/04/1990 00:00:00', '1990-03-04'],
  [undefined, '1990-4-3T00:00:00.000Z', '1990-04-03'],
  [undefined, '03/04/1990', undefined],
])('in the format %s, %j becomes %j', (format, text, date) => {
  expect(dateConverter(format)(text)).toBe(date);
});

test.each(['MM/DD/YYYY', 'DD MM YYYY', 'DDMMYYYY'])('%s is a format', format => {
  expect(requireDateFormat(format)).toBe(format);
});

test.each(['', 'DD.MM.YY', 'D.M.YYYY', 'DD.MM.YYYY.DD', '(.*)+YYYYMMDD', 'dd.mm.yyyy'])(
  '%j is not a format',
  format => {
    expect(() => requireDateFormat(format)).toThrow(/--date-format takes YYYY, MM and DD/);
  },
);
