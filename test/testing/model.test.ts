// Sequences of operations on contacts and tags, against a model that is written from rules 5.1 to 7.3 and 10.5.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type Snapshot } from '../../src/testing/index.ts';
import { runs } from '../support/long-run.ts';
import { legacy, rest } from './http.ts';

interface Person {
  email: string;
  firstName: string;
  tags: string[];
  fields: Record<string, string>;
  updated: number;
}

/** What the service should hold: people and tags in the order of their creation. */
interface Model {
  people: Person[];
  tags: string[];
  /** Seconds since the start. */
  clock: number;
}

interface Running {
  readonly sandbox: Sandbox;
  model: Model;
  saved: readonly [Model, Snapshot] | undefined;
}

type Step = (run: Running) => Promise<void>;

const start = Date.UTC(2025, 5, 1);
const timeAt = (seconds: number) => new Date(start + seconds * 1000).toISOString().replace('.000', '');
const notFound = { status: 'error', message: 'resource not found' };

const find = ({ people }: Model, email: string) =>
  people.find(person => person.email === email.toLowerCase());

/** Tags are created in the order of their first use. */
function attach(model: Model, person: Person, tags: readonly string[]): void {
  for (const tag of tags) {
    if (!model.tags.includes(tag)) model.tags.push(tag);
    if (!person.tags.includes(tag)) person.tags.push(tag);
  }
}

const identify =
  (email: string, firstName: string | undefined, tags: string[], points: string, newEmail?: string): Step =>
  async ({ sandbox, model }) => {
    const body = { email, newEmail, firstName, tags, customFields: { points } };
    const answer = await legacy(sandbox, 'POST /contact/identify', body);
    const holder = newEmail === undefined ? undefined : find(model, newEmail);
    let person = find(model, email);
    if (holder !== undefined && person !== undefined && holder !== person) {
      expect([answer.status, answer.body]).toEqual([
        409,
        { status: 'error', message: 'contact with this email already exists' },
      ]);
      return;
    }
    if (person === undefined) {
      person = { email, firstName: '', tags: [], fields: {}, updated: model.clock };
      model.people.push(person);
    } else if (newEmail !== undefined) person.email = newEmail;
    if (firstName !== undefined) person.firstName = firstName;
    const change = /^(\+\+|--)(\d+)$/.exec(points);
    const stored = person.fields.points;
    if (change === null) person.fields.points = points;
    else if (stored === undefined) person.fields.points = change[2] ?? '';
    else person.fields.points = `${Number(stored) + (change[1] === '++' ? 1 : -1) * Number(change[2])}`;
    attach(model, person, tags);
    person.updated = model.clock;
    expect(answer.status).toBe(200);
    expect((answer.body as { data: object }).data).toMatchObject({
      email: person.email,
      firstName: person.firstName,
      tags: person.tags,
      customFields: person.fields,
    });
  };

const track =
  (email: string, addTags: string[], removeTags: string[]): Step =>
  async ({ sandbox, model }) => {
    const body = { addTags, removeTags };
    const answer = await legacy(sandbox, `POST /contact/track?email=${encodeURIComponent(email)}`, body);
    const person = find(model, email);
    if (person === undefined) {
      expect(answer.body).toEqual(notFound);
      return;
    }
    attach(model, person, addTags);
    person.tags = person.tags.filter(tag => !removeTags.includes(tag));
    person.updated = model.clock;
    expect(answer.status).toBe(200);
  };

const createTag =
  (name: string): Step =>
  async ({ sandbox, model }) => {
    const { status } = await rest(sandbox, 'POST /tag', { name });
    expect(status).toBe(model.tags.includes(name) ? 409 : 200);
    if (status === 200) model.tags.push(name);
  };

const deleteTag =
  (name: string): Step =>
  async ({ sandbox, model }) => {
    const id = sandbox.state.tags.named(name)?.id ?? 'A1b2C3d4E5f6G7h8I9j0K1';
    const { status } = await rest(sandbox, `DELETE /tag/${id}`);
    expect(status).toBe(model.tags.includes(name) ? 200 : 404);
    model.tags = model.tags.filter(tag => tag !== name);
    for (const person of model.people) person.tags = person.tags.filter(tag => tag !== name);
  };

const page =
  (offset: number, limit: number, search: string | undefined): Step =>
  async ({ sandbox, model }) => {
    const query = search === undefined ? '' : `&search=${search}`;
    const { body } = await rest(sandbox, `GET /contact?offset=${offset}&limit=${limit}${query}`);
    const found = model.people.filter(
      ({ email, firstName }) =>
        search === undefined || `${email}\n${firstName}`.toLowerCase().includes(search.toLowerCase()),
    );
    const emails = (body as Person[]).map(({ email }) => email);
    expect(emails).toEqual(found.slice(offset, offset + limit).map(({ email }) => email));
  };

const wait =
  (seconds: number): Step =>
  async ({ sandbox, model }) => {
    sandbox.advance(seconds * 1000);
    model.clock += seconds;
  };

const save: Step = async run => {
  run.saved = [structuredClone(run.model), run.sandbox.snapshot()];
};

const restore: Step = async run => {
  if (run.saved === undefined) return;
  const [model, snapshot] = run.saved;
  run.model = { ...structuredClone(model), clock: run.model.clock };
  run.sandbox.restore(snapshot);
};

const reset: Step = async run => {
  run.sandbox.reset();
  run.model = { people: [], tags: [], clock: 0 };
};

const email = fc.constantFrom('ada@x.test', 'bob@x.test', 'cy@x.test');
const anyCase = fc.constantFrom('ada@x.test', 'ADA@x.test', 'bob@x.test', 'cy@x.test');
const tags = fc.uniqueArray(fc.constantFrom('vip', 'new', 'beta'), { maxLength: 2 });
const firstName = fc.option(fc.constantFrom('Ada', 'Bob'), { nil: undefined });
const points = fc.constantFrom('10', '++5', '--3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(email, firstName, tags, points, fc.option(email, { nil: undefined }))
    .map(input => identify(...input)),
  fc.tuple(anyCase, tags, tags).map(input => track(...input)),
  fc.constantFrom('vip', 'new', 'beta').map(createTag),
  fc.constantFrom('vip', 'new', 'beta').map(deleteTag),
  fc
    .tuple(fc.nat(3), fc.integer({ min: 1, max: 3 }), fc.constantFrom(undefined, 'ADA', 'x.test', '.*'))
    .map(input => page(...input)),
  fc.integer({ min: 1, max: 9 }).map(wait),
  fc.constantFrom(save, restore, restore, reset),
);

test('contacts and tags are as a model says, after every step', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
      const seed = { customFields: [{ name: 'points', type: 'number' as const }] };
      const sandbox = createSandbox({ seed, now: () => new Date(start) });
      const run: Running = { sandbox, model: { people: [], tags: [], clock: 0 }, saved: undefined };
      for (const perform of steps) {
        await perform(run);
        const { state } = sandbox;
        expect(state.tags.all.map(({ name }) => name)).toEqual(run.model.tags);
        expect(new Set(state.tags.all.map(({ id }) => id)).size).toBe(state.tags.size);
        const people = state.contacts.all.map(contact => ({
          email: contact.email,
          firstName: contact.firstName,
          tags: contact.tagNames,
          fields: Object.fromEntries(
            Object.entries(contact.customFields).map(([id, value]) => [
              state.customFields.get(id)?.name,
              value,
            ]),
          ),
          updated: contact.updated,
        }));
        expect(people).toEqual(
          run.model.people.map(person => ({ ...person, updated: timeAt(person.updated) })),
        );
        for (const { email } of run.model.people)
          expect(state.contacts.named(email.toUpperCase())?.email).toBe(email);
        expect(state.contacts.named('nobody@x.test')).toBeUndefined();
      }
    }),
    { seed: 20_261_123, numRuns: runs(200, 3_000) },
  ));
