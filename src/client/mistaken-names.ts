import { ServiceResources } from '../resources/index.ts';

/** What people who write JavaScript call first, by what they mean. */
const otherNames = {
  'legacy.identify':
    'identify contacts.create contacts.add contacts.update contacts.upsert contacts.identify legacy.create legacy.update',
  'legacy.track': 'track contacts.track contacts.tag contacts.addTags contacts.removeTags',
  'contacts.findByEmail': 'contacts.get contacts.find contacts.getByEmail contacts.search',
  'events.record': 'events.create events.add events.track events.send',
  'lists.delete': 'lists.remove',
  'tags.create': 'tags.add',
  'tags.delete': 'tags.remove',
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
  const none = 'the service documents no such operation; client.request calls any other';
  for (const place of ['', ...Object.keys(client)]) {
    const owner = place ? Object.getPrototypeOf(Reflect.get(client, place)) : ServiceResources.prototype;
    const parent = Object.create(Object.getPrototypeOf(owner));
    const explain = (method: string, advice: string) => {
      const value = () => {
        throw new TypeError(`client.${place && `${place}.`}${method} does not exist: ${advice}.`);
      };
      Object.defineProperty(parent, method, { value, configurable: true, writable: true });
    };
    for (const method of place ? usualNames.split(' ') : []) explain(method, none);
    for (const [correct, names] of Object.entries(otherNames))
      for (const [, of = '', method = ''] of names.matchAll(/(?:(\w+)\.)?(\w+)/g))
        if (of === place) explain(method, `call client.${correct}`);
    Object.setPrototypeOf(owner, parent);
  }
}
