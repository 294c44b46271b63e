import { ServiceResources } from '../resources/index.ts';

/** What people who write JavaScript call first, by resource (`''` is the client) and by what they mean. */
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { 'legacy.identify': 'identify', 'legacy.track': 'track' },
  contacts: {
    'legacy.identify': 'create add update upsert identify',
    'legacy.track': 'track tag addTags removeTags',
    'contacts.findByEmail': 'get find search',
  },
  legacy: { 'legacy.identify': 'create add update upsert' },
  events: { 'events.record': 'create add track send' },
  tags: { 'tags.create': 'add' },
};

/** Methods that people expect of every resource. */
const usualNames = 'create add get find list all search update upsert delete remove send';

let isExplained = false;

/**
 * Adds methods that do not exist, each of which throws a sentence that says what to call in its place, if anything. No
 * type names them: in JavaScript, they replace `is not a function`. Classes inherit them, and list them nowhere.
 */
export function explainMistakenNames(client: ServiceResources): void {
  if (isExplained) return;
  isExplained = true;
  for (const place of ['', ...Object.keys(client)]) {
    const owner = place ? Object.getPrototypeOf(Reflect.get(client, place)) : ServiceResources.prototype;
    const parent = Object.create(Object.getPrototypeOf(owner));
    const own = 'delete' in owner ? { [`${place}.delete`]: 'remove' } : {};
    for (const [correct, names] of Object.entries({ '': place && usualNames, ...own, ...otherNames[place] }))
      for (const name of names.match(/\w+/g) ?? []) {
        const value = mistaken(`${place && `${place}.`}${name}`, correct);
        Object.defineProperty(parent, name, { value, configurable: true, writable: true });
      }
    Object.setPrototypeOf(owner, parent);
  }
}

const mistaken = (name: string, correct: string) => () => {
  const none = 'the service documents no such operation; client.request calls any other';
  throw new TypeError(`client.${name} does not exist: ${correct ? `call client.${correct}` : none}.`);
};
