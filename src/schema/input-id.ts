import * as z from 'zod/mini';

const kinds = /^(domain|list|tag|contact|sender|post_tag|post_category|template|campaign)_/;

/** The rule for an id given as input (specification, section 2, conventions). */
export function inputId(kind: string): z.ZodMiniType<string> {
  const pattern = new RegExp(`^(${kind}_)?[a-zA-Z0-9]{22}$`);
  const error = ({ input }: { readonly input?: unknown }) => {
    const given = kinds.exec(String(input))?.[1];
    const hint = given && given !== kind ? `, not the id of a ${given}` : '';
    return `a ${kind} id (${kind}_ and 22 letters or digits)${hint}`;
  };
  return z.custom<string>(value => typeof value === 'string' && pattern.test(value), { error });
}
