import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/testing/index.ts';
import { legacy, rest } from '../http.ts';

const notFound = { status: 'error', message: 'resource not found' };

describe('section 4, Track', () => {
  const seed = { contacts: [{ email: 'a+b@x.test', tags: ['old', 'kept'] }] };
  const tagNames = (sandbox: ReturnType<typeof createSandbox>) =>
    sandbox.state.contacts.all[0]?.tags.map(id => sandbox.state.tags.get(id)?.name);

  test('adds the tags of addTags and removes those of removeTags', async () => {
    const sandbox = createSandbox({ seed });
    const answer = await legacy(sandbox, 'POST /contact/track?email=a%2Bb%40x.test', {
      addTags: ['new'],
      removeTags: ['old', 'never'],
    });
    expect(answer.body).toEqual({ status: '200', message: expect.any(String), data: expect.any(String) });
    expect(tagNames(sandbox)).toEqual(['kept', 'new']);
  });

  test('keeps what automation rules would run on: additions and removals that took place', async () => {
    const sandbox = createSandbox({ seed });
    await legacy(sandbox, 'POST /contact/track?email=a%2Bb%40x.test', {
      addTags: ['new', 'kept'],
      removeTags: ['old', 'never'],
    });
    expect(sandbox.state.tagChanges.all).toMatchObject([
      { tag: 'new', change: 'added' },
      { tag: 'old', change: 'removed' },
    ]);
  });

  test('a `+` that was not encoded is a space, and so no email', async () => {
    expect(
      (await legacy(createSandbox({ seed }), 'POST /contact/track?email=a+b@x.test', { addTags: ['x'] }))
        .status,
    ).toBe(400);
  });

  test('an unknown email is refused, or creates a contact by option', async () => {
    const path = 'POST /contact/track?email=no%40x.test';
    expect((await legacy(createSandbox(), path, { addTags: ['x'] })).body).toEqual(notFound);
    const creating = createSandbox({ ambiguities: { trackOfUnknownContact: 'create' } });
    expect((await legacy(creating, path, { addTags: ['x'] })).status).toBe(200);
    expect(creating.state.contacts.named('no@x.test')?.tags).toHaveLength(1);
  });

  test('a success has the form that an option says', async () => {
    const plain = createSandbox({ seed, ambiguities: { legacyStatus: 'success', trackData: false } });
    expect((await legacy(plain, 'POST /contact/track?email=a%2Bb%40x.test', {})).body).toEqual({
      status: 'success',
      message: expect.any(String),
    });
  });
});

test('section 2: a legacy contact and a REST contact are the same person', async () => {
  const sandbox = createSandbox();
  await legacy(sandbox, 'POST /contact/identify', {
    email: 'a@x.test',
    firstName: 'Ada',
    tags: ['vip'],
    customFields: { plan: 'pro' },
  });
  const [tag] = sandbox.state.tags.all;
  const { body } = await rest(sandbox, 'GET /contact?search=ada');
  expect(body).toMatchObject([{ email: 'a@x.test', firstName: 'Ada', tags: [tag?.id], contactSource: 1 }]);
  expect(Object.values((body as [{ customFields: object }])[0].customFields)).toEqual(['pro']);
});
