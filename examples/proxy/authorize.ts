/** Options of every example in this folder: signed-in visitors may make calls, each for themselves. */
import type { ProxyOptions } from 'email-marketing-client/proxy';

/** Replace this with your own sessions: the email of the visitor who is signed in. */
function signedInEmail(request: Request): string | undefined {
  return /(?:^|; )session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
}

/** Visitors may change only their own contact. */
export const options: ProxyOptions<'legacy.identify'> = {
  allow: ['legacy.identify'],
  authorize: (request, { input }) => {
    const email = signedInEmail(request);
    if (email === undefined) return false;
    const { firstName, lastName } = input;
    return { input: { firstName, lastName, email } };
  },
};
