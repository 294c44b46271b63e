/** Joins the chunks of a body as they come, so that many small chunks take no more memory than one large chunk. */
export class BodyBuffer {
  readonly #maxBytes: number;
  #buffer = new Uint8Array();
  #length = 0;

  /** @param maxBytes - Largest body that is kept. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk. Returns `false`, and keeps nothing of it, if the body is then larger than `maxBytes`. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) return false;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, 2 * this.#buffer.length)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** Returns the bytes that were added. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Returns the bytes that were added, decoded as UTF-8. */
  text(): string {
    return new TextDecoder().decode(this.bytes());
  }
}
