import { useEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../server/control-json.ts';
import { placeOf } from './page-texts.ts';

/** Interval at which the page asks whether anything has changed, in milliseconds. */
const pollMs = 300;

/** Calls a control. Throws an error with the server's message. */
export async function call<T>(method: string, path: string, body?: string): Promise<T> {
  const response = await fetch(`/_sandbox/${path}`, body === undefined ? { method } : { method, body });
  const json = await response.json();
  if (!response.ok) throw new Error(json.message);
  return json;
}

/** Asks the server again and again. Returns what it shows, and the state of the connection. */
export function useView(): [view: View | undefined, connection: string] {
  const [view, setView] = useState<View>();
  const [connection, setConnection] = useState('connecting');
  useEffect(() => {
    let shown = '';
    const poll = async () => {
      const found = await call<View>('GET', 'view').catch(() => undefined);
      setConnection(found ? 'live' : 'the sandbox does not respond');
      const text = JSON.stringify(found);
      if (found && text !== shown) setView(found);
      if (found) shown = text;
    };
    void poll();
    setInterval(poll, pollMs);
  }, []);
  return [view, connection];
}

/** Moves the focus if what had it is hidden: on a phone, a detail takes the place of its list, and the list of its detail. */
function moveFocus(left: string): void {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement?.checkVisibility()) return;
  const links = [...document.querySelectorAll<HTMLElement>('.list a')];
  const back = document.querySelector<HTMLElement>('.opened .back');
  (back ?? links.find(link => link.getAttribute('href') === left))?.focus();
}

/** Returns the parts of the fragment of the address: `#/data/contacts/new`. */
export function usePlace(): readonly string[] {
  const [place, setPlace] = useState(placeOf(location.hash));
  const left = useRef(location.hash);
  useEffect(() => {
    moveFocus(left.current);
    left.current = location.hash;
  }, [place]);
  useEffect(() => addEventListener('hashchange', () => setPlace(placeOf(location.hash))), []);
  return place;
}
