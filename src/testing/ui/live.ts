import type { LiveUpdate } from '../server/protocol.ts';
import { byId } from './dom.ts';

/** A live stream of what happens in the sandbox. */
export class Live {
  readonly #onUpdate: (update: LiveUpdate) => void;
  readonly #onConnect: () => void;
  #source: EventSource | undefined;

  /** @param onConnect Called each time the stream begins: what happened before it is to be fetched. */
  constructor(onUpdate: (update: LiveUpdate) => void, onConnect: () => void) {
    this.#onUpdate = onUpdate;
    this.#onConnect = onConnect;
  }

  /** Starts the stream, or starts it anew with another filter. */
  start(filter: URLSearchParams): void {
    this.#source?.close();
    const source = new EventSource(`/_sandbox/live?${filter}`);
    source.addEventListener('open', () => {
      showState('live', 'live');
      this.#onConnect();
    });
    source.addEventListener('error', () => showState('lost', 'the sandbox does not respond'));
    source.addEventListener('message', ({ data }) => this.#onUpdate(JSON.parse(data)));
    this.#source = source;
  }
}

function showState(state: string, text: string): void {
  const connection = byId('connection');
  if (connection.textContent === text) return;
  connection.dataset.state = state;
  connection.textContent = text;
}
