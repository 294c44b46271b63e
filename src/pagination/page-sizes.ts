/** Page sizes for contacts, largest first: the specification gives the maximum as both 100 and 30 (section 4). */
export const contactPageSizes = [100, 30] as const;

/** Page sizes for lists, largest first: the specification gives the maximum as both 500 and 100 (section 4). */
export const listPageSizes = [500, 100] as const;
