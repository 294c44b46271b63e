import { useEffect, useState } from 'preact/hooks';
import type { View } from '../server/control-json.ts';
import { placeOf } from './page-texts.ts';

/** Interval between two polls, in milliseconds. */
const pollMs = 300;

/** Calls a control. Throws an error with the server's message. */
export async function call<T>(method: string, path: string, body?: string): Promise<T> {
  const response = await fetch(`/_sandbox/${path}`, body === undefined ? { method } : { method, body });
  const json = await response.json();
  if (!response.ok) throw new Error(json.message);
  return json;
}

/** Polls the server. Returns the latest view, and the state of the connection. */
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

/** Returns the parts of the fragment of the address: `#/data/contacts/new`. */
export function usePlace(): readonly string[] {
  const [place, setPlace] = useState(placeOf(location.hash));
  useEffect(() => addEventListener('hashchange', () => setPlace(placeOf(location.hash))), []);
  return place;
}
