import { expect, test } from 'vitest';
import { RateLimiter } from '../../../src/call/rate-limiter.ts';
import { endpointOf } from '../../../src/client/endpoints.ts';
import { callService } from '../../../src/client/service-call.ts';
import type { ServiceSettings } from '../../../src/client/service-settings.ts';
import { startedCall } from '../call/one-call.ts';

test('a permit is given back, whatever is thrown before its attempt has ended', async () => {
  const { url, settings } = startedCall();
  const broken = {
    ...settings,
    rest: { url, query: '', headers: {}, keyHeader: 'x-key', key: 'key' },
    rateLimiter: new RateLimiter({ concurrency: 1 }),
    get transport(): never {
      throw new RangeError('the response cannot be read');
    },
  } as unknown as ServiceSettings;
  const call = () => callService(endpointOf('senders.list'), undefined, { totalTimeout: 1_000 }, broken);
  for (const each of [call(), call()]) await expect(each).rejects.toThrow(RangeError);
});
