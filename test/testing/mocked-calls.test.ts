// Results for mocked methods of both clients: they have every form of the result of a call.
import { expect, expectTypeOf, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { type ApiPromise, ConnectionError, EmailMarketingClient } from '../../src/index.ts';
import { createSandbox, rejectsWith, resolvesTo } from '../../src/testing/index.ts';

const tag = { id: 'tag_0123456789abcdefABCDEF', name: 'vip', created: '', updated: '' };
const clients = {
  EmailMarketingClient: () => new EmailMarketingClient(createSandbox().clientOptions),
  createBrowserClient: () => createBrowserClient({ url: '/api' }),
};

test.each(Object.entries(clients))('a mocked method of %s has every form of a result', async (_, make) => {
  const { tags } = make();
  const create = vi.spyOn(tags, 'create').mockImplementation(resolvesTo(tag));
  expect(tags.create({ name: 'vip' })).toBeInstanceOf(Promise);
  expect(await tags.create({ name: 'vip' })).toBe(tag);
  const { data, response } = await tags.create({ name: 'vip' }).withResponse();
  expect([data, response.status]).toEqual([tag, 200]);
  expect(await tags.create({ name: 'vip' }).safe()).toMatchObject({ ok: true, data: tag });
  expect(create).toHaveBeenCalledTimes(4);
  expectTypeOf(resolvesTo(tag)).returns.toEqualTypeOf<ApiPromise<typeof tag>>();
});

test('a mocked method that fails rejects at each call, and not before', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const error = new ConnectionError('no connection');
  const { tags } = clients.EmailMarketingClient();
  vi.spyOn(tags, 'create').mockImplementation(rejectsWith(error));
  await new Promise(resolve => setTimeout(resolve));
  await expect(tags.create({ name: 'vip' })).rejects.toBe(error);
  await expect(tags.create({ name: 'vip' }).withResponse()).rejects.toBe(error);
  expect(await tags.create({ name: 'vip' }).safe()).toEqual({ ok: false, error });
  await new Promise(resolve => setTimeout(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
