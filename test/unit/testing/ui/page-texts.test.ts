import { expect, test } from 'vitest';
import { pretty } from '../../../../src/testing/ui/page-texts.ts';

test('indents JSON, and leaves other text', () => {
  expect(pretty('{"a":["x, {y}",{}]}')).toBe('{\n  "a": [\n    "x, {y}",\n    {}\n  ]\n}');
  expect(pretty('<html>')).toBe('<html>');
});
