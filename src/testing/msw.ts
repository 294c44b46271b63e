import { ConnectionDropped } from './dispatcher.ts';

/** What MSW asks of a request handler, versions 2 and 3 alike. */
interface MswHandler {
  readonly kind: 'request';
  readonly info: { readonly header: string };
  run(args: { readonly request: Request; readonly requestId: string }): Promise<object | null>;
  log(): void;
  reset(): void;
  restore(): void;
  dispose(): void;
}

/**
 * Makes a handler for MSW without importing it, so that nobody who does not use MSW needs it: MSW goes by what a handler
 * does and not by its class.
 */
export function mswHandler(
  owns: (url: URL) => boolean,
  respond: (request: Request) => Promise<Response>,
): MswHandler {
  const handler: MswHandler = {
    kind: 'request',
    info: { header: 'email-marketing-client sandbox' },
    async run({ request, requestId }) {
      if (!owns(new URL(request.url))) return null;
      return { handler, request, requestId, response: await answer(request) };
    },
    log() {},
    reset() {},
    restore() {},
    dispose() {},
  };
  const answer = (request: Request) =>
    respond(request.clone()).catch(error => {
      if (error instanceof ConnectionDropped || request.signal.aborted) return Response.error();
      throw error;
    });
  return handler;
}
