import * as z from 'zod/mini';
import { Secret } from '../helpers/secret.ts';

/** Schema of text that holds a secret. Becomes a {@link Secret}. */
export const secretText = () =>
  z.pipe(
    z.string('text'),
    z.transform((value: string) => new Secret(value)),
  );
