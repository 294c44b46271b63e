import { describe, expect, test } from 'vitest';
import { addCallSite } from '../../../src/call/api-promise.ts';
import { EmailMarketingError } from '../../../src/index.ts';

/** An error with the stack that an engine made at a call. */
const placeOf = (stack: string): Error => Object.assign(new Error(), { stack });

const own = 'EmailMarketingError: no\n    at run (request.ts:1:1)';

describe('the stack of an error of the library', () => {
  test.each([
    ['V8', 'Error\n    at openDashboard (app.ts:7:3)\n    at main (app.ts:1:1)'],
    [
      'an engine whose stacks start with a frame',
      '    at openDashboard (app.ts:7:3)\n    at main (app.ts:1:1)',
    ],
  ])('ends with the frames of the call, added once: %s', (_, stack) => {
    const error = Object.assign(new EmailMarketingError('no'), { stack: own });
    addCallSite(error, placeOf(stack));
    addCallSite(error, placeOf(stack));
    expect(error.stack).toBe(`${own}\n    at openDashboard (app.ts:7:3)\n    at main (app.ts:1:1)`);
  });
});

test("the stack of the caller's reason for an abort is unchanged", () => {
  const reason = new Error('enough');
  const { stack } = reason;
  addCallSite(reason, placeOf('Error\n    at main (app.ts:1:1)'));
  expect(reason.stack).toBe(stack);
  expect(() => addCallSite('enough', placeOf(''))).not.toThrow();
});
