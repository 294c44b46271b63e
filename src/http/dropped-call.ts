/**
 * Abort reason of a call that the library itself no longer needs, such as a prefetched page. Nothing has failed, so no
 * public hook and no line of the log speaks of it. An error as a reason would have a stack, which takes time to create.
 */
export const notWanted: unknown = Object.freeze({ reason: 'not wanted' });

/** Hook that such a call ends with, so that what `onRequest` began can end too. Not public. */
export const onDropped: unique symbol = Symbol.for('email-marketing-client.onDropped');
