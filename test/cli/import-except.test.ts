// Files of people who stay out: each address must stand by itself, or the import stops.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { endedWith, importAll, sentAddresses, stage } from './run-cli.ts';

describe('--except leaves out whoever is in another file', () => {
  const text = 'email\nada@x.test\nbob@x.test\nCyd <CYD@x.test>\n';
  const except = ['--except', 'left.csv'];
  const importExcept = async (left: string | Uint8Array) => {
    await using staged = await stage();
    staged.write('left.csv', left);
    const ended = await staged.importText(text, ...except);
    return { ...ended, sent: sentAddresses(staged) };
  };

  test('in any column, and in any form', async () => {
    const left = 'Reason;Address\nspam;"Ada" <ADA@x.test>\nmoved;mailto:cyd@x.test';
    const { sent, stderr } = await importExcept(left);
    expect(sent).toEqual(['bob@x.test']);
    expect(stderr).toContain('left.csv has 2 addresses, and 1 line without one\n');
    expect(stderr).toContain('Mailing 1 person (2 stay out), to ');
  });

  test('in UTF-16, with a mark or without', async () => {
    for (const mark of ['\ufeff', '']) {
      const left = Buffer.from(`${mark}Email\r\nada@x.test\r\n`, 'utf16le');
      expect(await importExcept(left)).toMatchObject({ code: 0, sent: ['CYD@x.test', 'bob@x.test'] });
    }
  });

  test.each<[what: string, left: string | Uint8Array]>([
    ['a compressed file', gzipSync(`${'ada@x.test\n'.repeat(50)}${Math.random()}`)],
    ['a PDF', '%PDF-1.4\n1 0 obj\n(ada@x.test)\nendobj\n'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x08\x06 ada@x.test', 'latin1')],
  ])('but is no text: %s', async (_, left) => {
    expect(await importExcept(left)).toMatchObject({ ...endedWith(2, 'this file is no text'), sent: [] });
  });

  test.each([
    "o'neil@x.test",
    'o\u2019neil@x.test',
    'O\u02bcNeil <o\u2019neil@x.test>; ada@y.test',
    'mailto:o%27neil%40x.test?subject=Hi',
    '?email=o%E2%80%99neil@x.test'.replace('%E2%80%99', "'"),
    'Neil, (o`neil@x.test)',
  ])('also with another apostrophe, and in a link: %s', async line => {
    await using staged = await stage();
    staged.write('left.csv', `${line}\n`);
    const ended = await staged.importText('email\no\u2019neil@x.test\nbob@x.test\n', ...except);
    expect({ ...ended, sent: sentAddresses(staged) }).toMatchObject({ code: 0, sent: ['bob@x.test'] });
  });

  test.each([
    'a@x.testb@y.test',
    'ada@x\u3002test',
    'x\u2026ada@x.test',
    'ada@y.test, @x.test',
    'ada@@x.test',
    'a@x.test\u00b7',
  ])('but not with an address that does not stand between separators: %s', async line => {
    const ended = await importExcept(`cyd@x.test\n${line}\n`);
    expect(ended).toMatchObject({ ...endedWith(2, 'no email address can be read in line 2'), sent: [] });
    expect(ended.stderr).not.toContain('@x');
  });

  test('with names on other services beside the addresses', async () => {
    expect((await importExcept('email,Twitter\nada@x.test,@ada\n')).sent).toEqual([
      'CYD@x.test',
      'bob@x.test',
    ]);
  });

  test.each(['@x.test', '*@x.test', '*.x.test', 'x.test', '"sub.x-y.test";;', 'ada.x.test@', 'ada (at) x*'])(
    'but not with a line that may mean several people: %s',
    async line => {
      expect(await importExcept(`cyd@x.test\r\n\r\n${line}\r\n`)).toMatchObject({
        ...endedWith(2, 'no email address can be read in line 3:'),
        sent: [],
      });
    },
  );

  test('which must exist, and contain an address', async () => {
    expect(await importExcept('Name\nAda\n')).toMatchObject({
      ...endedWith(2, 'no email address in this file'),
      sent: [],
    });
    expect(await importAll(text, ...except)).toMatchObject(endedWith(2, 'left.csv does not exist'));
  });
});
